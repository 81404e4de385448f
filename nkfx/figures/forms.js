// Neural 1-forms of the plane in a page: what layers.KForm computes, from the weights of its network. It needs no
// page, so that tests run it as well.
const sigmoid = x => 1 / (1 + Math.exp(-x))
const square = x => x * x
// The activations with their derivatives.
const activations = {
  relu: [x => Math.max(x, 0), x => x > 0 ? 1 : 0],
  silu: [x => x * sigmoid(x), x => sigmoid(x) * (1 + x * (1 - sigmoid(x)))],
  tanh: [Math.tanh, x => 1 - square(Math.tanh(x))],
}
const floats = text => new Float32Array(bytes(text))

// forms returns the functions of a bundle of forms, given as pad.go writes it. Results have one number a form.
const forms = data => {
  const layers = data.layers.map(({ weights, biases }) => ({ weights: floats(weights), biases: floats(biases) }))
  const [act, slope] = activations[data.activation], count = data.count

  // affine returns x·W + b, and x·W for a direction.
  const affine = ({ weights, biases }, x, direction) => {
    const y = direction ? new Float64Array(biases.length) : Float64Array.from(biases)
    for (let i = 0; i < x.length; i++) {
      for (let j = 0; j < y.length; j++) y[j] += x[i] * weights[i * y.length + j]
    }
    return y
  }
  // at returns the coefficients at a point: of dx of all forms, then of dy.
  const at = point => layers.reduce((x, layer, i) => affine(layer, i ? x.map(act) : x, false), point)
  // along returns the derivatives of the coefficients at a point in a direction.
  const along = (point, direction) => layers.reduce(([x, v], layer, i) => {
    const inside = i ? x.map(act) : x, moved = i ? v.map((s, k) => s * slope(x[k])) : v
    return [affine(layer, inside, false), affine(layer, moved, true)]
  }, [point, direction])[1]
  // curl returns the densities of dω at a point: ∂f₂/∂x − ∂f₁/∂y.
  const curl = point => {
    const x = along(point, [1, 0]), y = along(point, [0, 1])
    return Array.from({ length: count }, (_, j) => x[count + j] - y[j])
  }
  // integral adds what a function returns at the points of a rule on a simplex, with their weights.
  const integral = (rule, corners, value) => {
    const sums = new Array(count).fill(0)
    rule.weights.forEach((weight, q) => {
      const point = [0, 1].map(axis => corners.reduce(
        (sum, corner, i) => sum + rule.points[q * corners.length + i] * corner[axis], 0))
      value(point).forEach((x, j) => { sums[j] += weight * x })
    })
    return sums
  }
  // edge returns ∫ω along an edge, and triangle ∫dω over a triangle.
  const edge = (a, b) => integral(data.edge, [a, b], point => {
    const f = at(point)
    return Array.from({ length: count }, (_, j) => f[j] * (b[0] - a[0]) + f[count + j] * (b[1] - a[1]))
  })
  const triangle = (a, b, c) => {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return integral(data.triangle, [a, b, c], point => curl(point).map(x => x * area))
  }
  // running returns the integrals from the start of a path to each of its points, going on from those known.
  const running = (path, known = [new Array(count).fill(0)]) => {
    for (let i = known.length; i < path.length; i++) {
      const x = edge(path[i - 1], path[i])
      known.push(known[i - 1].map((sum, j) => sum + x[j]))
    }
    return known
  }
  // seen returns what templates see of a drawing where they are moved by place: the sums of the integrals over
  // its edges with both ends in the disc, times the density of its edges' starts.
  const seen = ({ edges }, place, { radius, bandwidth }) => {
    const near = p => Math.hypot(p[0] - place[0], p[1] - place[1]) <= radius
    const moved = p => [p[0] - place[0], p[1] - place[1]]
    const sums = new Array(count).fill(0), inside = []
    let density = 0
    for (const [a, b] of edges) {
      density += Math.exp(-0.5 * square(Math.hypot(...moved(a)) / bandwidth)) / edges.length
      inside.push(near(a) && near(b))
      if (inside.at(-1)) edge(moved(a), moved(b)).forEach((x, j) => { sums[j] += x })
    }
    return { values: sums.map(x => x * density), inside }
  }
  return { count, at, curl, edge, triangle, running, seen }
}

// resampled stretches a stroke to fill a box along both axes, as PenDigits has them, and returns so many points
// of it at equal distances.
const resampled = (stroke, points, { low, high }) => {
  const axes = [0, 1].map(axis => {
    const least = Math.min(...stroke.map(p => p[axis])), most = Math.max(...stroke.map(p => p[axis]))
    return x => most > least ? low[axis] + (x - least) / (most - least) * (high[axis] - low[axis])
      : (low[axis] + high[axis]) / 2
  })
  const path = stroke.map(p => axes.map((stretch, axis) => stretch(p[axis])))
  const lengths = [0]
  path.slice(1).forEach((p, i) => lengths.push(lengths[i] + Math.hypot(p[0] - path[i][0], p[1] - path[i][1])))
  if (!(lengths.at(-1) > 0)) return []
  let i = 1
  return Array.from({ length: points }, (_, n) => {
    const at = n / (points - 1) * lengths.at(-1)
    while (i < path.length - 1 && lengths[i] < at) i++
    const t = Math.min(1, (at - lengths[i - 1]) / (lengths[i] - lengths[i - 1] || 1))
    return [0, 1].map(axis => path[i - 1][axis] + t * (path[i][axis] - path[i - 1][axis]))
  })
}
