// The viewer of a Scene: see scene.go for the data. It runs once for each scene in a page, needs nothing from the
// network, and draws as Mesh.Plot does, by WebGL. All scenes share one context, of which a page has few.
{
  const stops = 17

  // read unpacks a mesh. Of a flat one each triangle has corners of its own, with one value and one normal.
  const read = mesh => {
    const points = Float32Array.from(new Uint16Array(bytes(mesh.points)), (x, i) => mesh.low[i % 3] + mesh.step * x)
    const values = new Uint16Array(bytes(mesh.values)), normals = new Int8Array(bytes(mesh.normals))
    const corners = Array.from({ length: points.length / 3 }, (_, i) => i)
    const of = mesh.flat ? i => Math.floor(i / 3) : i => i
    return {
      ...mesh, points, values: Float32Array.from(corners, i => values[of(i)] === 65535 ? -1 : values[of(i)] / 65534),
      normals: Float32Array.from(corners.flatMap(i => [0, 1, 2].map(axis => (normals[3 * of(i) + axis] || 0) / 127))),
      faces: mesh.flat ? Uint32Array.from(corners)
        : new Uint32Array(new (mesh.wide ? Uint32Array : Uint16Array)(bytes(mesh.faces))),
      colors: Float32Array.from(mesh.colors.flatMap(hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255))),
    }
  }

  const vertexShader = `#version 300 es
    layout(location = 0) in vec3 point;
    layout(location = 1) in float value;
    layout(location = 2) in vec3 normal;
    uniform mat3 view;
    uniform vec3 middle;
    uniform float unit, depth, lift;
    out float share;
    out vec3 facing, corner;
    void main() {
      vec3 p = view * (point - middle);
      gl_Position = vec4(p.xy * unit, -(p.z + lift) * depth, 1);
      share = value;
      facing = normal;
      corner = vec3(gl_VertexID % 3 == 0, gl_VertexID % 3 == 1, gl_VertexID % 3 == 2);
    }`
  const fragmentShader = `#version 300 es
    precision highp float;
    in float share;
    in vec3 facing, corner;
    uniform vec3 colors[${stops}], light;
    uniform float shaded, lines, seam;
    out vec4 color;
    const vec3 ink = vec3(27, 31, 36) / 255.0;
    void main() {
      float at = clamp(share, 0.0, 1.0) * ${stops - 1}.0;
      int i = min(int(at), ${stops - 2});
      vec3 c = share < -0.5 ? vec3(110, 119, 129) / 255.0 : mix(colors[i], colors[i + 1], at - float(i));
      float level = 10.0 * share;
      if (lines > 0.0 && abs(level - round(level)) < 0.7 * fwidth(level)) c = mix(c, ink, 0.35);
      if (shaded > 0.0) {
        float lit = length(facing) > 0.0 ? abs(dot(normalize(facing), light)) : 0.0;
        c = mix(ink, c, 0.6 + 0.4 * lit);
        vec3 edge = corner / fwidth(corner);
        if (min(edge.x, min(edge.y, edge.z)) < 0.7) c = mix(c, ink, seam);
      }
      color = vec4(c, 1);
    }`

  // engine returns the context that all scenes draw with, or undefined where there is no WebGL.
  const engine = () => {
    if (window.nkfEngine) return window.nkfEngine
    const gl = document.createElement('canvas').getContext('webgl2', { preserveDrawingBuffer: true })
    if (!gl) return
    const program = gl.createProgram()
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
      const shader = gl.createShader(kind)
      gl.shaderSource(shader, text)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    gl.linkProgram(program)
    gl.useProgram(program)
    gl.enable(gl.DEPTH_TEST)
    return window.nkfEngine = { gl, at: name => gl.getUniformLocation(program, name) }
  }

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

  // axes returns the directions to the right, up, and to the eye.
  const axes = view => {
    const sa = Math.sin(view.azimuth), ca = Math.cos(view.azimuth)
    const se = Math.sin(view.elevation), ce = Math.cos(view.elevation)
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]
  }

  // projection returns the function that maps points to the canvas.
  const projection = ({ middle, radius, room }, view, side) => {
    const [right, up] = axes(view), unit = view.zoom * side / 2 / radius / room
    const along = (axis, p) => axis.reduce((sum, x, i) => sum + x * (p[i] - middle[i]), 0)
    return (...p) => [side / 2 + unit * along(right, p), side / 2 - unit * along(up, p)]
  }

  // drawMeshes draws the meshes of a panel on its canvas c, of so many pixels.
  const drawMeshes = (c, { gl, at }, meshes, { middle, radius, room }, view, side) => {
    gl.canvas.width = gl.canvas.height = side
    gl.viewport(0, 0, side, side)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    const [right, up, eye] = axes(view)
    gl.uniformMatrix3fv(at('view'), false, [0, 1, 2].flatMap(i => [right[i], up[i], eye[i]]))
    gl.uniform3fv(at('middle'), middle)
    gl.uniform1f(at('unit'), view.zoom / radius / room)
    gl.uniform1f(at('depth'), 0.4 / radius)
    const ce = Math.cos(view.elevation + 0.5), a = view.azimuth - 0.6
    gl.uniform3f(at('light'), ce * Math.cos(a), ce * Math.sin(a), Math.sin(view.elevation + 0.5))
    gl.clear(gl.DEPTH_BUFFER_BIT)
    for (const mesh of meshes) {
      const buffers = [[mesh.points, 3], [mesh.values, 1], [mesh.normals, 3]].map(([data, size], i) => {
        const buffer = gl.createBuffer()
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW)
        gl.enableVertexAttribArray(i)
        gl.vertexAttribPointer(i, size, gl.FLOAT, false, 0, 0)
        return buffer
      })
      const faces = gl.createBuffer()
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, faces)
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.faces, gl.STREAM_DRAW)
      gl.uniform3fv(at('colors'), mesh.colors)
      for (const name of ['shaded', 'lines', 'seam', 'lift']) gl.uniform1f(at(name), Number(mesh[name]))
      gl.drawElements(gl.TRIANGLES, mesh.faces.length, gl.UNSIGNED_INT, 0)
      for (const buffer of [...buffers, faces]) gl.deleteBuffer(buffer)
    }
    c.drawImage(gl.canvas, 0, 0)
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

  const start = root => {
    root.dataset.started = 'yes'
    const gl = engine()
    if (!gl) return // the picture stays
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
        c.save()
        c.scale(ratio, ratio)
        const project = projection(panel.ball, view, scene.side)
        for (const box of panel.boxes) drawBox(c, box, project, getComputedStyle(root).color)
        c.restore()
        drawMeshes(c, gl, panel.meshes, panel.ball, view, panel.canvas.width)
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
    replace(root)
  }

  document.querySelectorAll('.nkf-scene:not([data-started])').forEach(start)
}
