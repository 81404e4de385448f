"""papermill and nbconvert for notebooks of the kernel Go (nkf).

papermill sets the parameters of a notebook, in a cell below the one with the tag "parameters"; nbconvert writes the
cells of a notebook as one program in Go:

  papermill in.ipynb out.ipynb -p alpha 0.25
  jupyter nbconvert --to nkf-go in.ipynb
"""

import json
import os
import re
import string
import subprocess


def __getattr__(name):
    """The engine or the exporter, when somebody asks for it: papermill is half loaded by then, or is not there."""
    make = {'Engine': engine, 'GoExporter': exporter}.get(name)
    if make is None:
        raise AttributeError(name)
    return globals().setdefault(name, make())


def exporter():
    """The exporter of nbconvert, which asks nkf."""
    from jupyter_client.kernelspec import KernelSpecManager
    from nbconvert.exporters import Exporter
    from nbconvert.utils.exceptions import ConversionException
    from nbformat import writes

    class GoExporter(Exporter):
        """The cells of a notebook as one program."""

        export_from_notebook = 'Go program'
        output_mimetype = 'text/x-go'

        def _file_extension_default(self):
            return '.go'

        def from_notebook_node(self, nb, resources=None, **kw):
            nb, resources = super().from_notebook_node(nb, resources, **kw)
            spec = KernelSpecManager().get_kernel_spec('nkf')
            nkf, checkout = spec.argv[0], spec.argv[spec.argv.index('--checkout') + 1]
            env = {name: string.Template(value).safe_substitute(os.environ) for name, value in spec.env.items()}
            made = subprocess.run([nkf, 'kernel', 'script', '--checkout', checkout, '-'], input=writes(nb),
                                  env={**os.environ, **env}, capture_output=True, encoding='utf-8')
            if made.returncode != 0:
                raise ConversionException(made.stderr.strip())
            return made.stdout, resources

    return GoExporter


def engine():
    """The engine of papermill, which knows how Go spells parameters."""
    from papermill.engines import NBClientEngine
    from papermill.models import Parameter
    from papermill.translators import Translator, papermill_translators

    class GoTranslator(Translator):
        """Parameters as variables of Go."""

        translate = staticmethod(go)

        @classmethod
        def comment(cls, text):
            return '// ' + text

        @classmethod
        def assign(cls, name, value):
            return f'{name} := {value}'

        @classmethod
        def inspect(cls, cell):
            found = re.findall(r'^(\w+) *:= *(.*?) *(?://(.*))?$', cell.source, re.M)
            return [Parameter(name, 'None', value, text.strip()) for name, value, text in found]

    papermill_translators.register('nkf', GoTranslator)
    return NBClientEngine


def go(value):
    """A value of JSON or YAML as an expression of Go that has a type."""
    match value:
        case bool():
            return str(value).lower()
        case int() if -2**63 <= value < 2**63:
            return str(value)
        case float():
            special = {'inf': 'math.Inf(1)', '-inf': 'math.Inf(-1)', 'nan': 'math.NaN()'}
            return special.get(repr(value), repr(value))
        case str():
            return json.dumps(value, ensure_ascii=False).replace('\ufeff', '\\ufeff').replace('\x7f', '\\x7f')
        case list():
            return f'[]{kind(value)}{{{", ".join(map(go, value))}}}'
        case dict():
            pairs = (f'{go(str(key))}: {go(item)}' for key, item in value.items())
            return f'map[string]{kind(value.values())}{{{", ".join(pairs)}}}'
    raise ValueError(f'Go has no value for the parameter {value!r}')


def kind(values):
    """The type of the elements of a list: any if they have several."""
    kinds = {go(value).partition('{')[0] if isinstance(value, (list, dict)) else
             {bool: 'bool', int: 'int', float: 'float64', str: 'string'}.get(type(value)) for value in values}
    if kinds == {'int', 'float64'}:
        return 'float64'
    return kinds.pop() if len(kinds) == 1 else 'any'
