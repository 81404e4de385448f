// Runs notebooks in JupyterLab in a real browser: node lab.mjs [notebook ...], quickstart if none is named.
// Fails unless all cells run without a hand, animations play, scenes turn and pads are dragged; training in the notebook paths is
// interrupted first. Before, it writes a notebook as a newcomer does, completing words and reading about them, moves
// a slider of nkfx, and has all that nkfx.Show takes shown in both themes; and Notebook 7 and voila run a notebook.
// Leaves pictures of each notebook here, NAME.png and NAME-dark.png. LAB is the checkout; CHROMIUM the browser, if not
// the one on PATH.
import { spawn, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const checkout = process.env.LAB
const names = process.argv.length > 2 ? process.argv.slice(2) : ['quickstart']
const minutes = 60_000
const token = 'test'

const port = await new Promise(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})

// Copies, outside the checkout, because JupyterLab saves what it shows.
const work = mkdtempSync(join(tmpdir(), 'nkf-browser-'))
mkdirSync(join(work, 'notebooks'))
cpSync(join(checkout, 'notebooks'), join(work, 'notebooks'), { recursive: true })
const lab = spawn(join(checkout, '.venv/bin/jupyter'), [
  'lab', '--no-browser', '--ServerApp.ip=127.0.0.1', `--ServerApp.port=${port}`, '--ServerApp.port_retries=0',
  `--IdentityProvider.token=${token}`, `--ServerApp.root_dir=${join(work, 'notebooks')}`, '--allow-root',
  '--LabApp.expose_app_in_browser=True',
], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, JUPYTER_CONFIG_DIR: join(work, 'config') } })
let log = ''
lab.stderr.on('data', data => { log += data })

function check(fine, message) {
  if (!fine) throw new Error(message)
}

async function started() {
  for (let i = 0; i < 600; i++) {
    check(lab.exitCode === null, `JupyterLab did not start:\n${log}`)
    try {
      if ((await fetch(`http://127.0.0.1:${port}/api/status?token=${token}`)).ok) return
    } catch { /* not yet */ }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error(`JupyterLab does not answer:\n${log}`)
}

// menu chooses an item of a menu.
async function menu(page, name, item) {
  await page.getByRole('menuitem', { name, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

// theme changes how JupyterLab looks.
async function theme(page, name) {
  await page.evaluate(theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme }), name)
  await page.locator(`body[data-jp-theme-name="${name}"]`).waitFor({ state: 'attached' })
  await page.waitForTimeout(1000) // until its styles are there
}

// open opens a notebook in a new page.
async function open(browser, name) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(5 * minutes) // on a busy machine
  const failed = []
  page.on('requestfailed', request => {
    if (!request.url().startsWith(`http://127.0.0.1:${port}/`)) failed.push(request.url())
  })
  await page.goto(`http://127.0.0.1:${port}/lab/tree/${name}.ipynb?reset&token=${token}`, { timeout: 2 * minutes })
  const notebook = page.locator('.jp-Notebook:visible')
  await notebook.waitFor({ timeout: 2 * minutes })
  await page.locator(':text("Go (nkf)"):visible').first().waitFor({ timeout: 2 * minutes })
  // Its name is there before it is; JupyterLab runs no cell without it.
  await page.waitForFunction(() => {
    const context = window.jupyterapp?.shell.currentWidget?.sessionContext
    return context?.isReady && context.session?.kernel?.connectionStatus === 'connected'
  }, null, { timeout: 5 * minutes })
  return { page, notebook, failed }
}

// pictures takes a notebook in both themes. What it shows has to be read in both: text is light on a dark ground
// and dark on a light one, and has no ground of its own.
async function pictures(page, notebook, name) {
  for (const [look, file] of [['Light', name], ['Dark', `${name}-dark`]]) {
    await theme(page, `JupyterLab ${look}`)
    await notebook.locator('.jp-WindowedPanel-outer').evaluate(scrolled => { scrolled.scrollTop = 0 })
    await page.waitForTimeout(500)
    const wrong = await notebook.evaluate((notebook, dark) => {
      const light = color => {
        const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number)
        return a === 0 ? null : (0.3 * r + 0.6 * g + 0.1 * b) / 255
      }
      return [...notebook.querySelectorAll('.jp-OutputArea :is(caption, th, td, p, .nkf-progress, .nkf-progress div)')]
        .filter(element => element.textContent.trim() !== '')
        .filter(element => {
          const style = getComputedStyle(element)
          const ground = light(style.backgroundColor)
          return (light(style.color) > 0.5) !== dark || ground !== null && (ground < 0.5) !== dark
        }).map(element => element.textContent.slice(0, 50))
    }, look === 'Dark')
    check(wrong.length === 0, `${name}: cannot be read in the theme ${look}: ${wrong.join(' | ')}`)
    await notebook.screenshot({ path: `${file}.png` })
  }
  await theme(page, 'JupyterLab Light')
}

// save writes a notebook of one cell.
function save(name, source) {
  const cell = { cell_type: 'code', execution_count: null, id: 'first', metadata: {}, outputs: [], source }
  writeFileSync(join(work, 'notebooks', `${name}.ipynb`), JSON.stringify({
    cells: [cell], metadata: { kernelspec: { display_name: 'Go (nkf)', language: 'go', name: 'nkf' } },
    nbformat: 4, nbformat_minor: 5,
  }))
}

// others opens notebooks in Notebook 7 and voila, which this server has as well. voila runs all cells and shows
// their outputs alone.
async function others(browser) {
  const at = async path => {
    const page = await browser.newPage()
    page.setDefaultTimeout(5 * minutes)
    await page.goto(`http://127.0.0.1:${port}/${path}?token=${token}`, { timeout: 5 * minutes })
    return page
  }
  const classic = await at('notebooks/quickstart.ipynb'), cell = classic.locator('.jp-CodeCell').first()
  await cell.locator('.cm-content').click()
  await classic.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor()
  for (const count of [1, 2]) { // the stored output has 1
    await classic.keyboard.press('Control+Enter')
    await cell.locator('.jp-InputPrompt', { hasText: `[${count}]:` }).waitFor()
  }
  await cell.locator('.jp-OutputArea-output img').waitFor()
  await classic.screenshot({ path: 'notebook-7.png' })
  await classic.close()
  console.log('Notebook 7 runs a cell')

  save('served', `import "github.com/neuralkforms/nkf/nkfx/figures"

draw := func(n int) *figures.Figure { return figures.IntegrationMatrix("X", n, make([]float64, n)) }
nkfx.Show(figures.Animate("columns", figures.Steps(1, 9, 1), 4, draw))`)
  const served = await at('voila/render/served.ipynb')
  await served.locator('.nkf-animation[data-frame]').waitFor()
  await play(served, served.locator('body'), 'served')
  check(!(await served.locator('body').innerText()).includes('nkfx.Show'), 'voila shows the code')
  await served.screenshot({ path: 'voila.png' })
  await served.close()
  console.log('voila serves an animation')
}

// write writes a notebook as a newcomer does.
async function write(browser) {
  const name = 'newcomer'
  save(name, '')
  const { page, notebook, failed } = await open(browser, name)
  const active = notebook.locator('.jp-Cell.jp-mod-active')
  const text = () => active.locator('.cm-content').innerText()
  await active.locator('.cm-content').click()
  let count = 0
  // enter types a cell, runs it, and returns what it says.
  const enter = async code => {
    await page.keyboard.insertText(code)
    const cell = notebook.locator('.jp-Cell').nth(count++)
    await page.keyboard.press('Shift+Enter')
    await cell.locator('.jp-InputPrompt', { hasText: `[${count}]:` }).waitFor()
    await page.waitForTimeout(500) // until the last output is there
    return (await cell.locator('.jp-OutputArea').allInnerTexts()).join('').trim()
  }
  for (const [code, want] of [
    ['fmt.Println("hi")', 'hi'],
    ['x := 1', ''],
    ['func double(n int) int {\n\treturn 2 * n\n}\ndouble(x)\nx + double(x)', '3'],
    ['%%\nfmt.Println(x)', '1'],
    ['import "github.com/neuralkforms/nkf/nkfx"\n\nnkfx.Check(fmt.Errorf("no data"))',
      'cell [5], line 3: no data'],
    ['fmt.Println(nope)', 'cell [6], line 1: undefined: nope\n    fmt.Println(nope)\n                ^'],
    ['panic("on purpose")', 'cell [7], line 1: panic: on purpose'],
    ['strings.Repeat("ab", 2)', 'abab'],
  ]) {
    const said = await enter(code)
    check(want === '' ? said === '' : said.includes(want), `${name}: ${code}: says ${said}`)
  }
  const complete = async (typed, want) => {
    await page.waitForTimeout(500)
    await page.keyboard.insertText(typed)
    const begin = Date.now()
    await page.keyboard.press('Tab')
    const list = page.locator('.jp-Completer:visible')
    // The only match is put in at once; several are a list.
    for (; !(await text()).includes(want); await page.waitForTimeout(100)) {
      check(Date.now() - begin < minutes, `${name}: Tab makes of ${typed} ${await text()}`)
      if ((await list.allInnerTexts()).join('').includes('still loading')) {
        await page.keyboard.press('Escape')
        await active.locator('.cm-content').click()
        await page.keyboard.press('Control+End')
        await page.keyboard.press('Tab')
      }
      const item = list.locator('.jp-Completer-item', { has: page.getByText(want.split('.')[1], { exact: true }) })
      if (await item.count() > 0) {
        await page.screenshot({ path: `${name}-tab.png` })
        await item.first().click()
      }
    }
    console.log(`${name}: ${typed} is completed after ${Date.now() - begin} ms`)
  }
  const explain = async want => {
    const begin = Date.now()
    await page.keyboard.press('Shift+Tab')
    const tooltip = page.locator('.jp-Tooltip:visible')
    for (let said = ''; !said.includes(want); await page.waitForTimeout(100)) {
      check(Date.now() - begin < minutes, `${name}: Shift-Tab says ${said}, not ${want}`)
      said = (await tooltip.allInnerTexts()).join('')
    }
    console.log(`${name}: explained after ${Date.now() - begin} ms`)
    await page.screenshot({ path: `${name}-shift-tab.png` })
    await page.keyboard.press('Escape')
    await active.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
  }
  await complete('fmt.Print', 'fmt.Println')
  await explain('formats using the default formats')
  for (const [typed, want] of [['math.Sqrt', 'square root'], ['y := math.Floor', 'greatest integer'],
    ['strings.Repeat("a", ', 'parameter count int'], ['double', 'func double(n int) int']]) {
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(typed)
    await explain(want)
  }
  await page.keyboard.press('Control+A')
  await complete('x := math.Sqr', 'math.Sqrt')
  await page.keyboard.press('Control+A')
  await complete('%%\nnkfx.BackendN', 'nkfx.BackendName')
  await explain('BackendName returns the name of a backend')
  await page.keyboard.press('Control+A')
  check(await enter(`import (
	"image"
	"image/color"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

square := image.NewNRGBA(image.Rect(0, 0, 40, 40))
for i := range 40 * 40 {
	square.Set(i%40, i/40, color.NRGBA{uint8(6 * (i % 40)), uint8(6 * (i / 40)), 128, 255})
}
table := &figures.Table{
	Title: "a table", Head: []string{"model", "accuracy"}, Notes: []string{"a note below it"},
	Rows: [][]figures.Cell{{{Text: "NkF"}, {Text: "80.2", Strong: true}}, {{Text: "paper"}, {Text: "78.8", Faint: true}}},
}
nkfx.Show("text in **Markdown**", table, square)
progress := nkfx.NewProgress()
for step := range 100 {
	progress.Step("a training", step+1, 100, 1/float64(step+1))
	progress.Step("another", step+1, 100, 2/float64(step+2))
}`) !== '', `${name}: nothing is shown`)
  const pictures0 = await notebook.locator('.jp-OutputArea-output img').count()
  await enter('line := nkfx.Must(plotter.NewLine(plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 3}, {X: 2, Y: 2}}))')
  await enter('line')
  await enter('chart := plot.New()\nchart.Title.Text = "a plot of gonum/plot"\nchart.Add(line)\nchart')
  check(await notebook.locator('.jp-OutputArea-output img').count() === pictures0 + 2, `${name}: plots are not shown`)
  check((await enter('tensors.MustFromAnyValue([][]float64{{1, 0.5}, {-2, 1e9}})')).includes('0.5'),
    `${name}: tensors are not shown`)
  check(failed.length === 0, `${name}: asks the network for ${failed}`)
  await page.setViewportSize({ width: 1280, height: 3200 })
  await pictures(page, notebook, name)
  await slide(page, notebook, enter, name)
  await page.close()
  console.log(`${name}: written, completed and explained`)
}

// slide moves the slider of a cell and presses Done. Of another it takes the page away, which ends its cell, too.
async function slide(page, notebook, enter, name) {
  const code = `nkfx.Slider("columns", 1, 9, 4, func(n int) any {
	return figures.IntegrationMatrix("X", n, make([]float64, n))
})`
  const slider = notebook.locator('input[type=range]'), picture = notebook.locator('.nkf-picture')
  const cell = enter(code)
  await slider.waitFor()
  await picture.locator('svg').waitFor()
  const before = await picture.innerHTML()
  await slider.fill('7')
  for (const began = Date.now(); await picture.innerHTML() === before; await page.waitForTimeout(20)) {
    check(Date.now() - began < minutes, `${name}: the slider moves and the figure is the same as before`)
  }
  await notebook.getByRole('button', { name: 'Done' }).click()
  await cell
  check(await slider.count() === 0, `${name}: the slider is there after Done`)
  await notebook.locator('.jp-Cell .cm-content').last().click() // Done had the keyboard
  enter(code).catch(() => {}) // its page goes
  await slider.waitFor()
  await page.waitForTimeout(2000)
  await page.reload()
  const began = Date.now()
  const busy = () => page.evaluate(async token => (await (await fetch(`/api/kernels?token=${token}`)).json())
    .some(kernel => kernel.execution_state !== 'idle'), token)
  for (; await busy(); await page.waitForTimeout(200)) {
    check(Date.now() - began < 5 * minutes, `${name}: a cell waits whose page has gone`)
  }
  console.log(`${name}: a slider moves, and ends ${Date.now() - began} ms after its page`)
}

// turn turns the scenes of a notebook, with the mouse and with keys. They take the place of their pictures, and
// JupyterLab does not take the keys for its own.
async function turn(page, notebook, name) {
  const scenes = notebook.locator('.nkf-scene')
  for (let i = 0; i < await scenes.count(); i++) {
    const scene = scenes.nth(i)
    const canvas = scene.locator('canvas').first()
    await canvas.scrollIntoViewIfNeeded()
    const drawn = () => canvas.evaluate(canvas => canvas.toDataURL())
    const views = new Set([await scene.getAttribute('data-view')]), pictures = new Set([await drawn()])
    const box = await canvas.boundingBox()
    const moves = [async () => {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 30, { steps: 5 })
      await page.mouse.up()
    }, ...['ArrowLeft', 'ArrowUp', '+'].map(key => () => canvas.press(key))]
    for (const [j, move] of moves.entries()) {
      const began = Date.now()
      await move()
      while (views.size < j + 2 || pictures.size < j + 2) {
        check(Date.now() - began < minutes, `${name}: scene ${i + 1} does not turn: move ${j + 1}`)
        await page.waitForTimeout(20)
        views.add(await scene.getAttribute('data-view'))
        pictures.add(await drawn())
      }
    }
    await canvas.press('Home')
    check(await canvas.getAttribute('aria-label') !== '', `${name}: scene ${i + 1} has no description`)
    check(await still(scene) === false, `${name}: the picture of scene ${i + 1} is beside it`)
    await scene.screenshot({ path: `${name}-scene-${i + 1}.png` })
    console.log(`${name}: scene ${i + 1} turns`)
  }
}

// play plays the animations of a notebook, and moves their sliders with keys.
async function play(page, notebook, name) {
  const animations = notebook.locator('.nkf-animation')
  for (let i = 0; i < await animations.count(); i++) {
    const animation = animations.nth(i), slider = animation.locator('input'), drawing = animation.locator('svg')
    await animation.scrollIntoViewIfNeeded()
    const last = Number(await slider.getAttribute('max')), shown = new Set()
    const at = async frame => {
      const began = Date.now()
      while (await animation.getAttribute('data-frame') !== String(frame)) {
        check(Date.now() - began < minutes, `${name}: animation ${i + 1} is not at frame ${frame}`)
        await page.waitForTimeout(20)
      }
      shown.add(await drawing.innerHTML())
    }
    await animation.screenshot({ path: `${name}-animation-${i + 1}.png` })
    await slider.press('End')
    await at(last)
    await slider.press('ArrowLeft')
    await at(last - 1)
    await animation.getByRole('button', { name: 'Play' }).click()
    await at(last)
    await animation.getByRole('button', { name: 'Play' }).click() // from the beginning
    await at(1)
    await animation.getByRole('button', { name: 'Pause' }).click()
    check(shown.size > 2, `${name}: animation ${i + 1} does not move`)
    check(await drawing.getAttribute('aria-label') !== '', `${name}: animation ${i + 1} has no description`)
    check(await still(animation) === false, `${name}: the picture of animation ${i + 1} is beside it`)
    console.log(`${name}: animation ${i + 1} of ${last + 1} frames plays`)
  }
}

// drag drags what can be dragged on the pads of a notebook, and draws on those without handles.
async function drag(page, notebook, name) {
  const pads = notebook.locator('.nkf-pad')
  for (let i = 0; i < await pads.count(); i++) {
    const pad = pads.nth(i), handle = pad.locator('g[tabindex]').first(), dragged = await handle.count() > 0
    await pad.scrollIntoViewIfNeeded()
    let values = await pad.getAttribute('data-values')
    const changes = async how => {
      for (const began = Date.now(); await pad.getAttribute('data-values') === values; await page.waitForTimeout(20)) {
        check(Date.now() - began < minutes, `${name}: pad ${i + 1} computes the same after ${how}`)
      }
      values = await pad.getAttribute('data-values')
    }
    const box = await (dragged ? handle : pad.locator('svg').first()).boundingBox()
    const x = box.x + box.width / 2, y = box.y + box.height / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 30, y + 20, { steps: 5 })
    await page.mouse.up()
    await changes('a mouse')
    if (dragged) {
      await handle.press('ArrowLeft')
      await changes('a key')
    }
    check(await still(pad) === false, `${name}: the picture of pad ${i + 1} is beside it`)
    await pad.screenshot({ path: `${name}-pad-${i + 1}.png` })
    console.log(`${name}: pad ${i + 1} is ${dragged ? 'dragged' : 'drawn on'}`)
  }
}

// still reports whether the picture that something stands in for is seen.
const still = element => element.evaluate(element => Array.from(element.closest('.jp-Cell').querySelectorAll('img'))
  .filter(img => img.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING).pop()?.checkVisibility())

// run opens a notebook, runs all its cells, and plays and turns what it shows.
async function run(browser, name) {
  const { page, notebook, failed } = await open(browser, name)
  // As tall as the notebook, because JupyterLab takes cells that nobody sees out of the page.
  await page.setViewportSize({ width: 1280, height: 8000 })
  const clear = () => menu(page, 'Edit', 'Clear Outputs of All Cells')
  const start = () => menu(page, 'Run', /^Run All Cells/)
  // Cells that run or wait, those as well whose code is folded away.
  const busy = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.prompt === '*').length)
  // All code cells as they would be saved: not all of them are in the page.
  const cells = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.widgets
    .map(cell => cell.model.toJSON()).filter(cell => cell.cell_type === 'code'))
  // What cells say on standard error or end with. After an error those below do not run.
  const errors = async () => (await cells()).flatMap((cell, i) => cell.outputs
    .filter(output => output.output_type === 'error' || output.name === 'stderr')
    .map(output => `code cell ${i + 1}: ${output.text ?? output.evalue}`))

  if (name === 'paths') {
    await clear()
    await start()
    await notebook.locator('.nkf-progress').first().waitFor({ timeout: 5 * minutes })
    await menu(page, 'Kernel', /^Interrupt Kernel/)
    for (let waited = 0; await busy() > 0; waited += 200) {
      check(waited < minutes, `${name}: a cell goes on after it was interrupted`)
      await page.waitForTimeout(200)
    }
    const said = await notebook.locator('.jp-OutputArea').allTextContents()
    check(said.join().includes('interrupted'), `${name}: an interrupted cell says ${said}`)
  }
  await clear()
  const began = Date.now()
  await start()
  const shown = notebook.locator('.jp-OutputArea-output img, .jp-OutputArea-output svg')
  const first = shown.first().waitFor({ state: 'attached', timeout: 20 * minutes })
    .then(() => console.log(`${name}: the first picture after ${Date.now() - began} ms`))
  await page.waitForTimeout(2000)
  for (let waited = 0; await busy() > 0; waited += 100) {
    check(waited < 60 * minutes, `${name}: cells are still running`)
    await page.waitForTimeout(100)
  }
  check((await errors()).length === 0, `${name}: cells are in error: ${await errors()}`)
  await play(page, notebook, name)
  await turn(page, notebook, name)
  await drag(page, notebook, name)
  await first
  check((await cells()).every(cell => cell.execution_count !== null), `${name}: not all cells have run`)
  check(failed.length === 0, `${name}: asks the network for ${failed}`)
  await pictures(page, notebook, name)
  await page.close()
  console.log(`${name}: all cells ran`)
}

let code = 1
let browser
try {
  await started()
  const path = process.env.CHROMIUM || execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser ' +
    '|| command -v google-chrome']).toString().trim()
  browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  await others(browser)
  await write(browser)
  for (const name of names) await run(browser, name)
  code = 0
} catch (error) {
  console.error(String(error))
  const page = browser?.contexts()[0]?.pages()[0]
  if (page) await page.screenshot({ path: 'failed.png' }).catch(() => {})
} finally {
  await browser?.close()
  lab.kill('SIGTERM') // with its kernels
  await new Promise(resolve => lab.exitCode === null ? lab.on('exit', resolve) : resolve())
  rmSync(work, { recursive: true, force: true })
}
process.exit(code)
