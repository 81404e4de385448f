// The pages of a Pad: see pad.go for the data. They run once for each pad in a page, and need nothing from the network.
{
  const side = 340
  const ink = '#1b1f24', gray = '#6e7781', faint = '#d9dee4', green = '#009e73', vermilion = '#d55e00'
  const signed = (x, digits) => (x < 0 ? '−' : '+') + Math.abs(x).toFixed(digits)

  const escaped = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`)

  // color returns the color of a share from 0 to 1 of a scale.
  const color = (stops, share) => {
    const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1), i = Math.floor(at)
    const mix = from => Math.round((1 - at + i) * parseInt(stops[i].slice(from, from + 2), 16) +
      (at - i) * parseInt(stops[i + 1].slice(from, from + 2), 16))
    return `rgb(${mix(1)},${mix(3)},${mix(5)})`
  }

  // panel makes a square of the plane, low to high along both axes, with a line of text below it. On a phone two small
  // ones stand beside each other.
  const panel = (row, { low, high }, label, small) => {
    const cell = make(row, 'div', small ? 'flex:1 1 150px;max-width:340px' : 'flex:0 1 340px;min-width:min(260px,100%)')
    cell.innerHTML = `<svg class="nkf-figure" viewBox="0 0 ${side} ${side}" role="img" style="display:block;width:100%;` +
      'background:#fff;border:1px solid #d9dee4;border-radius:8px;box-sizing:border-box"><g></g><g></g><g></g></svg>'
    const svg = cell.firstElementChild, [ground, middle, front] = svg.children
    svg.setAttribute('aria-label', label)
    const text = make(cell, 'div', 'padding:4px 2px;min-height:1.5em;font-variant-numeric:tabular-nums')
    const at = ([x, y]) => [(x - low) / (high - low) * side, side - (y - low) / (high - low) * side]
    const write = p => at(p).map(x => x.toFixed(1)).join(' ')
    // The point of the plane at which an event is.
    const point = event => {
      const box = svg.getBoundingClientRect()
      return [low + (event.clientX - box.left) / box.width * (high - low),
        high - (event.clientY - box.top) / box.height * (high - low)]
    }
    return { svg, ground, middle, front, text, at, write, point, low, high }
  }

  // head returns the head of an arrow of a size in the picture, at a point of the plane.
  const head = (panel, tip, from, size, fill) => {
    const [x, y] = panel.at(tip), [p, q] = panel.at(from), length = Math.hypot(x - p, y - q)
    if (!(length > 0)) return ''
    const u = (x - p) / length * size, v = (y - q) / length * size
    return `<path d="M${x} ${y}L${x - u + 0.4 * v} ${y - v - 0.4 * u}L${x - u - 0.4 * v} ${y - v + 0.4 * u}Z" fill="${fill}"/>`
  }

  // line returns a path of the plane with a head at its end.
  const line = (panel, path, stroke, width = 2, size = 9) => {
    if (path.length < 2) return ''
    const end = path.at(-1), [x, y] = panel.at(end)
    // The last edges are short: the direction is from some way back.
    const from = path.findLast(p => Math.hypot(panel.at(p)[0] - x, panel.at(p)[1] - y) > 8) ?? path[0]
    return `<polyline points="${path.map(panel.write).join(' ')}" fill="none" stroke="${stroke}" stroke-width="${width}" ` +
      `stroke-linejoin="round"/>` + head(panel, end, from, size, stroke)
  }

  // grid returns points in the middle of cells.
  const grid = (low, high, cells) => Array.from({ length: cells * cells }, (_, i) =>
    [i % cells, Math.floor(i / cells)].map(j => low + (high - low) * (j + 0.5) / cells))

  // fields evaluates all forms at points. It returns the function that draws one of them as Arrows.Plot does, moved by
  // an offset, on one scale for all.
  const fields = (panel, f, points, longest, colors) => {
    const vectors = points.map(p => f.at(p))
    const sizes = vectors.flatMap(v => Array.from({ length: f.count }, (_, j) => Math.hypot(v[j], v[f.count + j])))
    const high = sizes.sort((a, b) => a - b)[Math.floor((sizes.length - 1) * 0.95)] || 1
    return (j, [dx, dy] = [0, 0]) => points.map((p, i) => {
      const u = vectors[i][j], v = vectors[i][f.count + j], size = Math.hypot(u, v)
      if (!(size > 0)) return ''
      const share = Math.min(1, size / high), half = longest * Math.sqrt(share) / 2 / size
      const from = [p[0] + dx - u * half, p[1] + dy - v * half], to = [p[0] + dx + u * half, p[1] + dy + v * half]
      const stroke = color(colors, share)
      return `<path d="M${panel.write(from)}L${panel.write(to)}" stroke="${stroke}" stroke-width="1.3"/>` +
        head(panel, to, from, Math.min(6, 1.2 * half * size / (panel.high - panel.low) * side), stroke)
    }).join('')
  }

  // heat puts a function of the plane behind a panel, as a picture of cells.
  const heat = (panel, values, cells, colors) => {
    const high = Math.max(...values.map(Math.abs)) || 1
    const canvas = document.createElement('canvas'), c = canvas.getContext('2d')
    canvas.width = canvas.height = cells
    values.forEach((x, i) => {
      c.fillStyle = color(colors, 0.5 + x / high / 2)
      c.fillRect(i % cells, cells - 1 - Math.floor(i / cells), 1, 1)
    })
    panel.ground.innerHTML = `<image href="${canvas.toDataURL()}" width="${side}" height="${side}" preserveAspectRatio="none"/>`
  }

  // handle makes a place of a panel movable by the mouse, a finger and the arrow keys. It returns what shows it there.
  const handle = (panel, name, mark, place, move) => {
    panel.front.insertAdjacentHTML('beforeend', `<g tabindex="0" role="button" aria-label="${name}: arrow keys move it" ` +
      `style="cursor:grab;touch-action:none"><circle r="24" fill="#000" fill-opacity="0"/>${mark}</g>`)
    const knob = panel.front.lastElementChild
    let grip
    const go = p => move(p.map(x => Math.min(panel.high, Math.max(panel.low, x))))
    knob.addEventListener('pointerdown', event => {
      knob.setPointerCapture(event.pointerId)
      grip = panel.point(event).map((x, axis) => place()[axis] - x)
    })
    // No page scrolls under a finger, and no frame is drawn around what a mouse drags.
    for (const type of ['touchstart', 'mousedown']) {
      knob.addEventListener(type, event => event.preventDefault(), { passive: false })
    }
    knob.addEventListener('pointermove', event => {
      if (knob.hasPointerCapture(event.pointerId)) go(panel.point(event).map((x, axis) => x + grip[axis]))
    })
    knob.addEventListener('keydown', event => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return
      const step = (panel.high - panel.low) / (event.shiftKey ? 10 : 50)
      go(place().map((x, axis) => x + step * way[axis]))
      event.preventDefault()
      event.stopPropagation()
    })
    return () => knob.setAttribute('transform', `translate(${panel.write(place())})`)
  }

  // choice makes a row of buttons.
  const choice = (root, names, chosen) => {
    const row = make(root, 'div', 'display:flex;flex-wrap:wrap;gap:6px;padding:6px 0')
    names.forEach((name, i) => {
      const button = make(row, 'button', 'font:inherit;min-height:32px;padding:2px 12px;cursor:pointer', name)
      button.addEventListener('click', () => chosen(i))
    })
  }

  // tones returns the colors of classes. Where there are more classes than colors, only the winner has one.
  const tones = (classes, best) => classes.map(({ color }, j) => classes.length <= 8 ? color : j === best ? vermilion : '#a9b0b8')

  // scores writes a number for each class, with its color; the largest is strong.
  const scores = (cell, classes, values) => {
    const best = values.indexOf(Math.max(...values))
    const colors = tones(classes, best)
    cell.innerHTML = classes.map(({ name }, j) => '<span style="display:inline-block;margin:0 14px 4px 0;' +
      `font-weight:${j === best ? 'bold' : 'normal'}"><span style="display:inline-block;width:12px;height:12px;` +
      `margin-right:5px;background:${colors[j]}"></span>${escaped(name)} ${signed(values[j], 2)}</span>`).join('')
  }

  // triangle: its corners move, and the integrals over its boundary and its inside run beside each other.
  const triangle = (root, row, data, f) => {
    const left = panel(row, data, 'a 1-form as arrows, and a triangle'), right = panel(row, data, 'its derivative as color')
    const places = grid(data.low, data.high, 13), longest = 0.9 * (data.high - data.low) / 13
    left.ground.innerHTML = fields(left, f, places, longest, data.strengths)(0)
    heat(right, grid(data.low, data.high, 41).map(p => f.curl(p)[0]), 41, data.signs)
    const corners = data.corners.map(corner => corner.slice())
    const mark = `<circle r="8" fill="#fff" stroke="${green}" stroke-width="2.5"/>`
    const shows = corners.flatMap((_, i) => [left, right].map(p =>
      handle(p, `corner ${i + 1}`, mark, () => corners[i], at => { corners[i] = at; draw() })))
    const draw = () => {
      const sides = [[0, 1], [1, 2], [2, 0]].map(side => side.map(i => corners[i]))
      const rim = sides.reduce((sum, [a, b]) => sum + f.edge(a, b)[0], 0), inside = f.triangle(...corners)[0]
      for (const p of [left, right]) {
        p.middle.innerHTML = sides.map(([a, b]) => line(p, [a, b], green, 2.2, 0) +
          head(p, [0, 1].map(axis => a[axis] + 0.6 * (b[axis] - a[axis])), a, 11, green)).join('')
      }
      left.text.innerHTML = `∫<sub>∂T</sub> ω = <b>${signed(rim, 6)}</b>, along the three edges`
      right.text.innerHTML = `∫<sub>T</sub> dω = <b>${signed(inside, 6)}</b>, over the triangle`
      for (const show of shows) show()
      root.dataset.values = JSON.stringify([rim, inside])
    }
    make(root, 'div', 'opacity:0.7;padding:4px 0', 'Drag a corner, or choose one with Tab and move it with the arrow keys.')
    draw()
  }

  // chart draws the running integrals, those of the winner on top.
  const chart = (panel, running, classes, best) => {
    const colors = tones(classes, best)
    const all = running.flat(), low = Math.min(0, ...all), high = Math.max(0, ...all), reach = high - low || 1
    const at = (x, t) => `${(12 + t / (running.length - 1 || 1) * (side - 24)).toFixed(1)},` +
      `${(side - 14 - (x - low) / reach * (side - 44)).toFixed(1)}`
    const curve = j => `<polyline points="${running.map((x, t) => at(x[j], t)).join(' ')}" fill="none" ` +
      `stroke="${colors[j]}" stroke-width="${j === best ? 3 : 1.5}"/>`
    panel.middle.innerHTML = `<polyline points="${at(0, 0)} ${at(0, running.length - 1)}" stroke="${faint}"/>` +
      classes.map((_, j) => j === best ? '' : curve(j)).join('') + curve(best)
  }

  // stroke: a path is drawn, and classified by its integrals, which run beside it.
  const stroke = (root, row, data, f) => {
    const { classes, points } = data
    const pad = panel(row, data, 'draw a path here')
    const model = points ? panel(row, data, 'the path as the model reads it, over the form of its class', true) : pad
    const running = panel(row, data, 'the integrals of all forms from the start of the path on', true)
    pad.svg.style.cssText += ';touch-action:none;cursor:crosshair'
    running.ground.innerHTML = `<text x="12" y="18" font-size="13" fill="${gray}">∫ω from the start of the path</text>`
    const places = grid(data.low, data.high, 15), longest = 0.9 * (data.high - data.low) / 15
    const field = fields(model, f, places, longest, data.strengths)
    let path, known, ended
    const draw = () => {
      const read = points ? resampled(path, points, data.box) : path
      known = f.running(read, points ? undefined : known)
      const scored = known.at(-1), best = scored.indexOf(Math.max(...scored))
      const { name } = classes[best], color = tones(classes, best)[best]
      const enough = read.length > 1
      model.ground.innerHTML = field(best)
      model.middle.innerHTML = line(model, read, color, 3, 13)
      if (points) pad.middle.innerHTML = line(pad, path, ink, 3, 13)
      if (points && enough) {
        model.middle.innerHTML += read.map(p => `<circle r="4" fill="${color}" transform="translate(${model.write(p)})"/>`).join('')
      }
      pad.text.innerHTML = enough ? `classified as <b>${escaped(name)}</b>` : 'draw a path'
      if (points) model.text.textContent = `${points} points of it, and the form of ${name}`
      chart(running, known, classes, best)
      scores(running.text, classes, scored)
      root.dataset.values = JSON.stringify(scored)
    }
    const set = next => { path = next; known = undefined; draw() }
    pad.svg.addEventListener('pointerdown', event => {
      if (!event.isPrimary || event.button > 0) return
      pad.svg.setPointerCapture(event.pointerId)
      event.preventDefault()
      // Who lifts the pen for less than a second goes on with the same path.
      if (points && event.timeStamp - ended < 1000) path.push(pad.point(event))
      else set([pad.point(event)])
    })
    pad.svg.addEventListener('pointermove', event => {
      if (!pad.svg.hasPointerCapture(event.pointerId)) return
      for (const e of event.getCoalescedEvents?.() ?? [event]) path.push(pad.point(e))
      draw()
    })
    pad.svg.addEventListener('pointerup', event => { ended = event.timeStamp })
    choice(root, [...classes.map(({ name }) => name), 'reverse'], i => set(i < classes.length ? data.examples[i] : path.toReversed()))
    make(root, 'div', 'opacity:0.7;padding:4px 0', 'Draw with the mouse or a finger. The buttons draw a path of the data, or reverse the path.')
    set(data.examples[data.first])
  }

  // disc: templates move over a drawing, and what they see runs beside it.
  const disc = (root, row, data, f) => {
    const { classes, drawings } = data
    const left = panel(row, data, 'a drawing, and a disc that moves'), right = panel(row, data, 'what the template sees of it everywhere')
    const places = grid(-data.radius, data.radius, 11).filter(p => Math.hypot(...p) < 0.95 * data.radius)
    const field = fields(left, f, places, 1.8 * data.radius / 11, data.strengths)
    const cells = 48, everywhere = grid(data.low, data.high, cells)
    const radius = data.radius / (data.high - data.low) * side
    let drawing, place
    const knobs = [left, right].map((p, i) => handle(p, 'the disc', `<circle r="${radius}" fill="#56b4e9" ` +
      `fill-opacity="${i ? 0 : 0.15}" stroke="${i ? ink : '#0072b2'}" stroke-width="1.5"/>` +
      (i ? `<circle r="3" fill="${ink}"/>` : ''), () => place, at => { place = at; draw() }))
    const draw = () => {
      const { values, inside } = f.seen(drawing, place, data), { label } = drawing
      left.middle.innerHTML = field(label, place) +
        drawing.edges.map((edge, i) => line(left, edge, inside[i] ? classes[label].color : gray, inside[i] ? 3.5 : 1.5, 0) +
          head(left, [0, 1].map(axis => edge[0][axis] + 0.7 * (edge[1][axis] - edge[0][axis])), edge[0], 8,
            inside[i] ? classes[label].color : gray)).join('')
      left.text.innerHTML = 'here the templates see: '
      scores(left.text.appendChild(document.createElement('span')), classes, values)
      for (const show of knobs) show()
      root.dataset.values = JSON.stringify(values)
    }
    const set = i => {
      drawing = drawings[i]
      const seen = everywhere.map(p => f.seen(drawing, p, data).values[drawing.label])
      heat(right, seen, cells, data.signs)
      place = everywhere[seen.indexOf(Math.max(...seen))]
      right.text.textContent = `the template of ${classes[drawing.label].name}, everywhere: orange for its class, blue against it`
      draw()
    }
    choice(root, drawings.map(({ label }) => classes[label].name), set)
    make(root, 'div', 'opacity:0.7;padding:4px 0', 'Drag the disc over the picture, or move it with the arrow keys. The buttons choose the drawing.')
    set(0)
  }

  const start = root => {
    root.dataset.started = 'yes'
    const data = JSON.parse(root.dataset.pad)
    root.style.cssText = "max-width:100%;font:13px 'Liberation Sans',Arial,Helvetica,sans-serif"
    const row = make(root, 'div', 'display:flex;flex-wrap:wrap;gap:8px 12px;max-width:1060px')
    ;({ triangle, stroke, disc })[data.kind](root, row, data, forms(data.forms))
    replace(root)
  }

  document.querySelectorAll('.nkf-pad:not([data-started])').forEach(start)
}
