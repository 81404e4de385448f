// The player of an Animation: see animation.go for the data. It runs once for each animation in a page, and needs
// nothing from the network.
{
  // unpack returns the data, which are JSON in gzip.
  const unpack = async text => {
    const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream('gzip'))
    return JSON.parse(await new Response(stream).text())
  }

  // parse returns the drawing of a frame.
  const parse = ({ lines, frames }, i) => {
    const box = document.createElement('div')
    box.innerHTML = frames[i].map(line => lines[line]).join('\n')
    box.firstElementChild.style.cssText = 'display:block;max-width:100%;height:auto;border-radius:8px;' +
      'border:1px solid #d9dee4;box-sizing:border-box'
    return box.firstElementChild
  }

  // update makes one drawing of another and leaves what does not move in the page: images would flicker.
  const update = (drawing, next) => {
    for (const name of next.getAttributeNames()) drawing.setAttribute(name, next.getAttribute(name))
    const was = Array.from(drawing.childNodes), is = Array.from(next.childNodes)
    is.forEach((node, i) => {
      if (!was[i]) drawing.append(node)
      else if (was[i].nodeName === 'g' && node.nodeName === 'g') update(was[i], node)
      else if (!was[i].isEqualNode(node)) was[i].replaceWith(node)
    })
    was.slice(is.length).forEach(node => node.remove())
  }

  const start = async root => {
    root.dataset.started = 'yes'
    const data = await unpack(root.dataset.animation)
    const last = data.frames.length - 1
    root.style.cssText = "max-width:100%;font:13px 'Liberation Sans',Arial,Helvetica,sans-serif"
    const drawing = make(root, 'div', '').appendChild(parse(data, data.first))
    drawing.setAttribute('role', 'img')
    const row = make(root, 'div', `display:flex;flex-wrap:wrap;gap:10px;align-items:center;padding:6px 0;` +
      `max-width:${drawing.getAttribute('width')}`)
    const button = make(row, 'button', 'width:36px;height:30px;font:inherit;cursor:pointer')
    const slider = make(row, 'input', 'flex:1 1 180px;min-height:30px;margin:0;cursor:pointer')
    const output = make(row, 'output', 'min-width:11em')
    Object.assign(slider, { type: 'range', min: 0, max: last, step: 1, value: data.first })
    slider.setAttribute('aria-label', data.label)

    const show = () => {
      const i = Number(slider.value)
      update(drawing, parse(data, i))
      drawing.setAttribute('aria-label', data.alt[i])
      slider.setAttribute('aria-valuetext', data.values[i])
      output.textContent = `${data.label}: ${data.values[i]}`
      root.dataset.frame = i
    }
    let timer
    const stop = () => {
      clearInterval(timer)
      timer = undefined
      button.textContent = '\u25b6\ufe0e'
      button.setAttribute('aria-label', 'Play')
    }
    const play = () => {
      if (Number(slider.value) === last) slider.value = -1
      button.textContent = '\u275a\u275a'
      button.setAttribute('aria-label', 'Pause')
      timer = setInterval(() => {
        if (!root.isConnected) return stop()
        slider.value = Number(slider.value) + 1
        show()
        if (Number(slider.value) === last) stop()
      }, Math.max(100, Math.min(700, 6000 / (last + 1))))
    }
    slider.addEventListener('input', () => { stop(); show() })
    // JupyterLab keeps some arrow keys from the slider.
    slider.addEventListener('keydown', event => {
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      slider.value = Number(slider.value) + way
      stop()
      show()
    })
    button.addEventListener('click', () => timer ? stop() : play())
    stop()
    show()
    replace(root)
  }

  document.querySelectorAll('.nkf-animation:not([data-started])').forEach(start)
}
