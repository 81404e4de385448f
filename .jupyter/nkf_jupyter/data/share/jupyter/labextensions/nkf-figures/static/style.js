// Figures have a white ground. In dark themes they change their lightness and keep their hues. Figures of nkfx.Show
// have a width, which other images need not have. This is a module as JupyterLab loads those that webpack has made.
(window._JUPYTERLAB ??= {})['nkf-figures'] = {
  init() {},
  async get() {
    const style = document.createElement('style')
    style.textContent = '[data-jp-theme-light="false"] .jp-RenderedImage img[width]{filter:invert(.92) hue-rotate(180deg)}'
    document.head.append(style)
    return () => ({})
  },
}
