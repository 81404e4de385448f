"""What clients that nkf has not written make of the kernel "Go (nkf)": jupyter_kernel_test, papermill, nbconvert and
nbval. browser/lab.mjs asks JupyterLab, Notebook 7 and voila.
"""

import os
import subprocess
import sys
import tempfile
import unittest

import jupyter_kernel_test
import nbformat
import papermill
from nbformat.v4 import new_code_cell, new_notebook, new_output

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMAGE = 'image.NewGray(image.Rect(0, 0, 3, 3))'
METADATA = {'kernelspec': {'name': 'nkf', 'language': 'go', 'display_name': 'Go (nkf)'}}


class Protocol(jupyter_kernel_test.KernelTests):
    """All that jupyter_kernel_test asks, but for a pager and clear_output, which the kernel has no use for."""
    kernel_name = 'nkf'
    language_name = 'go'
    file_extension = '.go'
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "error")'
    completion_samples = [{'text': 'fmt.Printl', 'matches': {'Println'}}, {'text': '"😀"; fmt.Fprintl', 'matches': {'Fprintln'}}]
    complete_code_samples = ['1', 'fmt.Println("hello, world")', 'func f(x int) int {\n\treturn 2 * x\n}\n', '!ls', '%%bash\nfor']
    incomplete_code_samples = ['fmt.Println(1,', 'func f(x int) int {\n\treturn', '`raw', '/* a', '1 +']
    invalid_code_samples = ['import "fmt', 'fmt.Println("hello', 'x := )', 'func f(x int { }', '1 2', ')']
    code_generate_error = 'panic("deliberate")'
    code_execute_result = [{'code': '1 + 2 + 3', 'result': '6'}, {'code': '[]int{1, 2}', 'result': '[1 2]'},
                           {'code': '"𝔽"', 'result': '𝔽'}, {'code': IMAGE, 'mime': 'image/png'}]
    code_display_data = [{'code': f'nkfx.Show({IMAGE})', 'mime': 'image/png'}, {'code': 'nkfx.Show("*a*")', 'mime': 'text/markdown'}]
    code_history_pattern = '1 ? 2*'
    supported_history_operations = ('tail', 'range', 'search')
    code_inspect_sample = 'fmt.Println'

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for _ in range(600):  # until gopls has loaded
            if cls.kc.complete('fmt.Printl', 10, reply=True, timeout=60)['content']['matches']:
                return
        raise TimeoutError


class Notebooks(unittest.TestCase):
    def test_papermill(self):
        cells = ['alpha := 0.5\nname := "none"\nlist := []float64{1}', 'alpha / 2', 'name', 'list']
        notebook = new_notebook(cells=[new_code_cell(code) for code in cells], metadata=METADATA)
        notebook.cells[0].metadata['tags'] = ['parameters']
        parameters = {'alpha': 1.0, 'name': 'a "b"\n\\ 😀\ufeff', 'list': [1, 2.5], 'flags': {'x': [True, None]}}
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, 'in.ipynb')
            nbformat.write(notebook, path)
            with self.assertRaises(ValueError):  # Go has no untyped nil
                papermill.execute_notebook(path, None, parameters, progress_bar=False)
            parameters['flags']['x'].pop()
            made = papermill.execute_notebook(path, None, parameters, progress_bar=False)
        results = [output.data['text/plain'] for cell in made.cells for output in cell.get('outputs', [])]
        self.assertEqual(results, ['0.5', 'a "b"\n\\ 😀\ufeff', '[1 2.5]'])

    def test_nbval(self):
        """The index says what is stored, below a picture of a notebook that may be newer; a wrong output is found."""
        result = new_output('execute_result', {'text/plain': '4'}, execution_count=1)
        wrong = new_notebook(cells=[new_code_cell('1 + 2', outputs=[result], execution_count=1)], metadata=METADATA)
        index = os.path.join(CHECKOUT, 'notebooks', 'index.ipynb')
        with tempfile.TemporaryDirectory() as work:
            path, settings = os.path.join(work, 'wrong.ipynb'), os.path.join(work, 'settings')
            nbformat.write(wrong, path)
            with open(settings, 'w') as file:
                file.write('[pictures]\nregex: [A-Za-z0-9+/\\s]{1000,}=*\nreplace: picture\n')
            said = subprocess.run([sys.executable, '-m', 'pytest', '-p', 'no:cacheprovider', '--nbval',
                                   '--nbval-sanitize-with', settings, f'{index}::Cell 0', f'{index}::Cell 1', path],
                                  capture_output=True, text=True).stdout
        self.assertRegex(said, '1 failed, 2 passed')

    def test_pages_are_colored_as_go(self):
        path = os.path.join(CHECKOUT, 'notebooks', 'quickstart.ipynb')
        page = subprocess.run([sys.executable, '-m', 'nbconvert', '--to', 'html', '--stdout', path], check=True,
                              capture_output=True, text=True).stdout
        self.assertTrue('<div class="highlight hl-go"' in page)
        self.assertFalse('class="err"' in page)

    def test_notebooks_become_programs(self):
        path = os.path.join(CHECKOUT, 'notebooks', 'quickstart.ipynb')
        convert = [sys.executable, '-m', 'nbconvert', '--stdout', '--to']
        programs = [subprocess.run([*convert, to, path], check=True, capture_output=True, text=True).stdout
                    for to in ('nkf-go', 'script')]
        self.assertTrue(programs[0].startswith('package main\n\nimport (\n'))
        self.assertNotRegex(programs[0], r'(?m)^\s*%')
        self.assertEqual(*programs)


if __name__ == '__main__':
    unittest.main()
