"""The site of `make site`: notebooks with their stored outputs, and guides, as pages that need no network."""
import json
from importlib.util import find_spec

project, html_title = "nkf", "nkf"
extensions = ["myst_nb"]
root_doc = "README"
exclude_patterns = [".*", "**/.*", "build", "results", "**/testdata"]

nb_execution_mode, nb_merge_streams = "off", True
nb_render_markdown_format = "myst"  # captions have formulas
myst_enable_extensions, myst_dmath_double_inline = ["dollarmath", "amsmath"], True
myst_heading_anchors = 4  # named as GitHub names them
# Cells of GoNB have lines that are no Go, go.mod has no lexer, and short guides have no title.
suppress_warnings = ["misc.highlighting_failure", "toc.no_title", "toc.empty_glob"]

html_theme = "furo"
html_show_copyright = html_copy_source = html_show_sourcelink = False
# Of the package with MathJax one file is enough.
mathjax_path = "tex-svg.js"
mathjax = find_spec("sphinx-mathjax-offline").submodule_search_locations[0] + "/static/mathjax/"
html_static_path = ["site.css", mathjax + mathjax_path]
html_css_files = ["site.css"]

CONTENTS = """
```{toctree}
:hidden:
:caption: Notebooks
:glob:
notebooks/index
notebooks/quickstart
notebooks/forms
notebooks/**
```
```{toctree}
:hidden:
:caption: Guides
:glob:
[!n]*
nkfx/**
[!n]*/**
```
"""


def read(app, name, source):
    """Adds the contents to the first page, and to notebooks what myst-nb reads where JupyterLab reads other fields."""
    if name == root_doc:
        source[0] += CONTENTS
    if not source[0].startswith("{"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        hidden = cell["metadata"].get("jupyter", {})
        if hidden.get("source_hidden"):
            cell["metadata"]["tags"] = ["hide-cell" if hidden.get("outputs_hidden") else "remove-input"]
        for output in cell.get("outputs", []):
            if alt := output.get("metadata", {}).get("alt"):
                cell["metadata"]["mystnb"] = {"image": {"alt": alt}}
    source[0] = json.dumps(notebook)


def setup(app):
    app.connect("source-read", read)
