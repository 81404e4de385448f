// The viewer of a Scene: see scene.go for the data. It runs once for each scene in a page, needs nothing from the
// network, and draws as Mesh.Plot does: triangles from back to front, lit by a light beside the eye.
(() => {
  const ink = [27, 31, 36]
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer
  const mix = (a, b, t) => a.map((x, i) => Math.round(x + t * (b[i] - x)))
  const make = (parent, tag, style, text = '') => {
    const element = parent.appendChild(document.createElement(tag))
    element.style.cssText = style
    element.textContent = text
    return element
  }

  // read unpacks a mesh.
  const read = mesh => ({
    ...mesh, points: Float32Array.from(new Uint16Array(bytes(mesh.points)), (x, i) => mesh.low[i % 3] + mesh.step * x),
    colors: new Uint8Array(bytes(mesh.colors)),
    faces: new (mesh.wide ? Uint32Array : Uint16Array)(bytes(mesh.faces)),
  })

  // ball returns the middle of what a panel shows, and how far it reaches.
  const ball = (meshes, boxes) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity]
    const grow = (x, i) => { low[i] = Math.min(low[i], x); high[i] = Math.max(high[i], x) }
    for (const { points } of meshes) points.forEach((x, i) => grow(x, i % 3))
    for (const box of boxes) for (const corner of [box.low, box.high]) corner.forEach(grow)
    const middle = low.map((x, i) => (x + high[i]) / 2)
    let radius = 0
    const reach = p => { radius = Math.max(radius, Math.hypot(...p.map((x, i) => x - middle[i]))) }
    for (const { points } of meshes) for (let i = 0; i < points.length; i += 3) reach(Array.from(points.slice(i, i + 3)))
    for (const box of boxes) reach(box.high)
    return { middle, radius: radius || 1, room: boxes.length ? 1.12 : 1.02 }
  }

  // projection returns the functions that map points to the canvas, and how near they are to the eye.
  const projection = ({ middle, radius, room }, view, side) => {
    const sa = Math.sin(view.azimuth), ca = Math.cos(view.azimuth)
    const se = Math.sin(view.elevation), ce = Math.cos(view.elevation)
    const unit = view.zoom * side / 2 / radius / room
    return (x, y, z) => {
      x -= middle[0]; y -= middle[1]; z -= middle[2]
      const forward = x * ca + y * sa
      return [side / 2 + unit * (y * ca - x * sa), side / 2 - unit * (z * ce - forward * se), forward * ce + z * se]
    }
  }

  const drawMesh = (c, mesh, project, view) => {
    const { points, faces, colors } = mesh
    const seen = []
    for (let i = 0; i < points.length; i += 3) seen.push(project(points[i], points[i + 1], points[i + 2]))
    const near = new Float64Array(faces.length / 3)
    for (let t = 0; t < near.length; t++) {
      near[t] = (seen[faces[3 * t]][2] + seen[faces[3 * t + 1]][2] + seen[faces[3 * t + 2]][2]) / 3
      if (t >= mesh.surface) near[t] += mesh.lift
    }
    const ce = Math.cos(view.elevation + 0.5), a = view.azimuth - 0.6
    const light = [ce * Math.cos(a), ce * Math.sin(a), Math.sin(view.elevation + 0.5)]
    const at = v => points.subarray(3 * v, 3 * v + 3)
    for (const t of Array.from(near.keys()).sort((s, t) => near[s] - near[t])) {
      const corners = faces.subarray(3 * t, 3 * t + 3)
      let fill = Array.from(colors.subarray(3 * t, 3 * t + 3)), edge = fill, width = 0.7
      if (t < mesh.surface) {
        const [p, q, r] = [at(corners[0]), at(corners[1]), at(corners[2])]
        const u = [0, 1, 2].map(i => q[i] - p[i]), v = [0, 1, 2].map(i => r[i] - p[i])
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        const lit = Math.abs(n[0] * light[0] + n[1] * light[1] + n[2] * light[2]) / (Math.hypot(...n) || 1)
        fill = mix(ink, fill, 0.6 + 0.4 * lit)
        edge = mix(fill, ink, mesh.seam)
      }
      c.beginPath()
      for (const v of corners) c.lineTo(seen[v][0], seen[v][1])
      c.closePath()
      c.fillStyle = `rgb(${fill})`
      c.strokeStyle = `rgb(${edge})`
      c.lineWidth = width
      c.fill()
      c.stroke()
    }
  }

  // drawBox draws the edges of a box, and labels at those of its outline.
  const drawBox = (c, box, project, color) => {
    const corner = bits => [0, 1, 2].map(i => bits >> i & 1 ? box.high[i] : box.low[i])
    const middle = project(...box.low.map((x, i) => (x + box.high[i]) / 2))
    c.strokeStyle = c.fillStyle = color
    c.lineWidth = 0.6
    c.textAlign = 'center'
    c.textBaseline = 'middle'
    c.font = "13px 'Liberation Sans', Arial, Helvetica, sans-serif"
    box.labels.forEach((label, axis) => {
      let outline
      for (let from = 0; from < 8; from++) {
        if (from >> axis & 1) continue
        const p = project(...corner(from)), q = project(...corner(from | 1 << axis))
        c.globalAlpha = 0.35
        c.beginPath()
        c.moveTo(p[0], p[1])
        c.lineTo(q[0], q[1])
        c.stroke()
        const outside = axis === 2 ? p[0] : -p[1] - q[1]
        if (!outline || outside < outline.outside) {
          outline = { outside, x: (p[0] + q[0]) / 2, y: (p[1] + q[1]) / 2 }
        }
      }
      c.globalAlpha = 1
      c.fillText(label, outline.x + 0.12 * (outline.x - middle[0]), outline.y + 0.12 * (outline.y - middle[1]))
    })
  }

  // picture finds the picture of the scene, the last one before it in its cell, to take its place.
  const picture = root => Array.from((root.closest('.jp-Cell, .cell') || document.body).querySelectorAll('img'))
    .filter(img => img.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING).pop()

  const start = root => {
    root.dataset.started = 'yes'
    const scene = JSON.parse(root.dataset.scene)
    const first = { ...scene.view, zoom: 1 }
    let view = { ...first }, waiting = false
    root.style.cssText = "max-width:100%;font:13px 'Liberation Sans',Arial,Helvetica,sans-serif"
    if (scene.title) make(root, 'div', 'font-size:15px;padding:4px 0', scene.title)
    const key = make(root, 'div', '')
    for (const { name, color } of scene.key) {
      make(key, 'span', `display:inline-block;width:12px;height:12px;margin-right:5px;background:${color}`)
      make(key, 'span', 'margin-right:18px', name)
    }
    const row = make(root, 'div', 'display:flex;flex-wrap:wrap;gap:8px;align-items:center')
    const grid = make(row, 'div', `display:grid;gap:8px;grid-template-columns:repeat(${scene.columns},auto)`)
    const panels = scene.panels.map(panel => {
      const cell = make(grid, 'div', '')
      if (panel.title) make(cell, 'div', 'text-align:center;padding:2px', panel.title)
      const canvas = make(cell, 'canvas', `width:${scene.side}px;height:${scene.side}px;max-width:100%;cursor:grab;` +
        'touch-action:pan-y')
      canvas.tabIndex = 0
      canvas.setAttribute('role', 'img')
      canvas.setAttribute('aria-label', `${scene.alt}. ${panel.title} Arrow keys turn it.`)
      const meshes = panel.meshes.map(read)
      return { canvas, meshes, boxes: panel.boxes, ball: ball(meshes, panel.boxes) }
    })
    for (const bar of scene.bars) {
      const cell = make(row, 'div', 'display:flex;gap:5px;align-items:stretch;height:180px')
      make(cell, 'div', `width:14px;background:linear-gradient(to top,${bar.colors.join(',')})`)
      const marks = make(cell, 'div', 'display:flex;flex-direction:column;justify-content:space-between')
      for (const text of [bar.high, bar.label, bar.low]) make(marks, 'div', '', text)
    }
    make(root, 'div', 'opacity:0.7;padding:2px 0', 'Drag or use the arrow keys to turn; + and − zoom, Home goes back.')

    const draw = () => {
      waiting = false
      for (const panel of panels) {
        const ratio = Math.max(1, window.devicePixelRatio || 1)
        panel.canvas.width = panel.canvas.height = Math.round(scene.side * ratio)
        const c = panel.canvas.getContext('2d')
        c.scale(ratio, ratio)
        c.lineJoin = 'round'
        const project = projection(panel.ball, view, scene.side)
        for (const box of panel.boxes) drawBox(c, box, project, getComputedStyle(root).color)
        for (const mesh of panel.meshes) drawMesh(c, mesh, project, view)
      }
      root.dataset.view = `${view.azimuth.toFixed(3)} ${view.elevation.toFixed(3)} ${view.zoom.toFixed(2)}`
    }
    const turn = change => {
      view = { ...view, ...change }
      view.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, view.elevation))
      view.zoom = Math.max(0.2, Math.min(20, view.zoom))
      if (!waiting) requestAnimationFrame(draw)
      waiting = true
    }
    const step = Math.PI / 36
    const keys = {
      ArrowLeft: () => ({ azimuth: view.azimuth + step }), ArrowRight: () => ({ azimuth: view.azimuth - step }),
      ArrowUp: () => ({ elevation: view.elevation - step }), ArrowDown: () => ({ elevation: view.elevation + step }),
      '+': () => ({ zoom: 1.2 * view.zoom }), '=': () => ({ zoom: 1.2 * view.zoom }),
      '-': () => ({ zoom: view.zoom / 1.2 }), Home: () => first,
    }
    for (const { canvas } of panels) {
      canvas.addEventListener('keydown', event => {
        if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return
        turn(keys[event.key]())
        event.preventDefault()
        event.stopPropagation()
      })
      canvas.addEventListener('pointerdown', event => canvas.setPointerCapture(event.pointerId))
      canvas.addEventListener('pointermove', event => {
        if (!canvas.hasPointerCapture(event.pointerId)) return
        turn({ azimuth: view.azimuth - event.movementX / 120, elevation: view.elevation + event.movementY / 120 })
      })
    }
    draw()
    // Text and lines of boxes have the color of the page, which may change.
    new MutationObserver(() => turn({})).observe(document.body, { attributes: true })
    const still = picture(root)
    if (still) still.style.display = 'none'
  }

  document.querySelectorAll('.nkf-scene:not([data-started])').forEach(start)
})()
