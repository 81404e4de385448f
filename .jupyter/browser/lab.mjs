// Runs notebooks in JupyterLab in a real browser: node lab.mjs [notebook ...], quickstart if none is named.
// Fails unless all cells run and, where there is a slider, moving it changes the figure; training in the notebook
// paths is interrupted first. Leaves pictures of each notebook here, NAME.png and NAME-dark.png. LAB is the
// checkout; CHROMIUM the browser, if not the one on PATH.
import { spawn, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
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

// run opens a notebook in a new page, runs all its cells and moves its slider.
async function run(browser, name) {
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
  // As tall as the notebook, because JupyterLab takes cells that nobody sees out of the page.
  await page.setViewportSize({ width: 1280, height: 8000 })
  const clear = () => menu(page, 'Edit', 'Clear Outputs of All Cells')
  const start = () => menu(page, 'Run', /^Run All Cells/)
  const busy = () => notebook.locator('.jp-InputPrompt').evaluateAll(
    prompts => prompts.filter(p => p.textContent.includes('*')).length)
  // All code cells as they would be saved: not all of them are in the page.
  const cells = () => page.evaluate(() => window.jupyterapp.shell.currentWidget.content.widgets
    .map(cell => cell.model.toJSON()).filter(cell => cell.cell_type === 'code'))
  // What cells say on standard error or end with. After an error those below do not run.
  const errors = async () => (await cells()).flatMap((cell, i) => cell.outputs
    .filter(output => output.output_type === 'error' || output.name === 'stderr')
    .map(output => `code cell ${i + 1}: ${output.text ?? output.evalue}`))
  const slider = notebook.locator('.jp-OutputArea input[type=range]')

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
    check(said.join().includes('nkf: interrupted'), `${name}: an interrupted cell says ${said}`)
  }
  await clear()
  await start()
  await page.waitForTimeout(2000)
  for (let waited = 0; await busy() > 0 && await slider.count() === 0; waited += 500) {
    check(waited < 60 * minutes, `${name}: cells are still running`)
    await page.waitForTimeout(500)
  }
  check((await errors()).length === 0, `${name}: cells are in error: ${await errors()}`)

  if (await slider.count() > 0) {
    const picture = notebook.locator('.nkf-picture')
    await picture.locator('svg, img').first().waitFor({ timeout: 2 * minutes })
    for (const value of ['90', '200']) {
      const before = await picture.innerHTML()
      const moved = Date.now()
      await slider.fill(value)
      while (await picture.innerHTML() === before) {
        check(Date.now() - moved < minutes, `${name}: the slider is at ${value} and the figure is the same as before`)
        await page.waitForTimeout(10)
      }
      console.log(`${name}: a new figure ${Date.now() - moved} ms after the slider moved`)
    }
    await page.screenshot({ path: `${name}-slider.png`, clip: await picture.boundingBox() })
    await notebook.getByRole('button', { name: 'Done' }).click()
    for (let waited = 0; await busy() > 0; waited += 500) {
      check(waited < 2 * minutes, `${name}: the cell with the slider goes on after Done`)
      await page.waitForTimeout(500)
    }
    check(await notebook.locator('.jp-OutputArea svg').count() > 0, `${name}: the figure is gone after Done`)
    check((await errors()).length === 0, `${name}: cells are in error: ${await errors()}`)
  }
  check((await cells()).every(cell => cell.execution_count !== null), `${name}: not all cells have run`)
  check(failed.length === 0, `${name}: asks the network for ${failed}`)
  await notebook.screenshot({ path: `${name}.png` })
  await theme(page, 'JupyterLab Dark')
  await notebook.screenshot({ path: `${name}-dark.png` })
  await theme(page, 'JupyterLab Light')
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
