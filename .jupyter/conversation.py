"""A conversation with the kernel "Go (nkf)" as Jupyter has it: cells of all kinds are run, and every name in them is
completed and explained; interrupts at any moment; a restart; much output; kernels whose server is killed.

  python conversation.py           checks it all, in ten minutes; fails with what is wrong
  python conversation.py times     how long things take, with this kernel and, where one is installed, with gonb
"""

import os
import re
import signal
import subprocess
import sys
import time

from jupyter_client.manager import KernelManager

LINE = '‸'  # the cursor, in a cell


class Kernel:
    """A kernel that runs, and a client of it."""

    def __init__(self, name='nkf'):
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel()
        self.connect()

    def connect(self):
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel()

    def send(self, code):
        return self.client.execute(code)

    def result(self, request, slow=0, timeout=600):
        """What a cell says, in the order in which it does, and its reply."""
        said, messages = '', 0
        while True:
            message = self.client.get_iopub_msg(timeout=timeout)
            if message['parent_header'].get('msg_id') != request:
                continue
            kind, content = message['msg_type'], message['content']
            messages += 1
            if kind == 'stream':
                said += content['text']
                if messages < 20:
                    time.sleep(slow)
            elif kind in ('display_data', 'execute_result'):
                said += '<' + ' '.join(sorted(content['data'])) + '>'
            elif kind == 'error':
                said += f"{content['ename']}: {content['evalue']}"
                trace = content['traceback']
            elif kind == 'status' and content['execution_state'] == 'idle':
                break
        while True:
            reply = self.client.get_shell_msg(timeout=timeout)
            if reply['parent_header'].get('msg_id') == request:
                break
        reply = reply['content']
        if reply['status'] == 'error':
            assert reply['evalue'] in said and reply['traceback'] == trace, f'two errors: {said} and {reply}'
        return said, reply

    def run(self, code, **how):
        return self.result(self.send(code), **how)[0]

    def ask(self, question, code, at):
        units = len(code[:at].encode('utf-16-le')) // 2
        return question(code, units, reply=True, timeout=60)['content']

    def complete(self, code, at):
        reply = self.ask(self.client.complete, code, at)
        text = code.encode('utf-16-le')
        return reply['matches'], text[2 * reply['cursor_start']:2 * reply['cursor_end']].decode('utf-16-le')

    def explain(self, code, at):
        return self.ask(self.client.inspect, code, at)['data'].get('text/plain', '')


WRONG = []


def check(ok, said):
    if not ok:
        print('wrong:', said, flush=True)
        WRONG.append(said)


# Cells, one after the other, and what they say: text, or an expression that it matches.
CELLS = [
    ('fmt.Println("hi")', 'hi\n'),
    ('"text"', 'text\n'),
    ('1 + 2', '3\n'),
    ('(1 + 2i)', '(1+2i)\n'),
    ('x := 1', ''),
    ('x', '1\n'),
    ('x;', r'CompileError: cell \[7\], line 1: x .* is not used'),
    ('a, err := strconv.Atoi("4")\nvar b = a\nf := func() int {\n\treturn a + b\n}', ''),
    ('fmt.Println(f(), err)', '8 <nil>\n'),
    ('f()', '8\n'),
    ('f', 'func() int\n'),
    ('strconv.Atoi("12")', '12 <nil>\n'),
    ('math.Sqrt', 'func(float64) float64\n'),
    ('math.Sqrt(2)', '1.4142135623730951\n'),
    ('errors.New("bad")', 'bad\n'),
    ('error(nil)', ''),
    ('nil', '<nil>\n'),
    ('len("ä𝄞")', '6\n'),
    ('[]int{1, 2}', '[1 2]\n'),
    ('map[string]int{"a": 1}["a"]', '1\n'),
    ('struct{ A int }{3}.A', '3\n'),
    ('x == 1 && true', 'true\n'),
    ('&[]int{1}', '&[1]\n'),
    ('fmt.Print("no line")', 'no line'),
    ('fmt.Printf("%d\\n", 3) // n and err are not shown', '3\n'),
    ('fmt.Println(x) // end\n// more', '1\n'),
    ('// A sum.\nimport "strconv"\nvar y = 2\n\nz := x + y // local\nfmt.Println(strconv.Itoa(z)); z++\n// end', '3\n'),
    ('!echo shell\nn := 20\n// double doubles.\nfunc double(n int) int {\n\treturn 2 * n\n}\nimport m "math"\n'
     'const half = 0.5; fmt.Println(double(n), m.Sqrt(4), half)\nn += 2\nn + 1', 'shell\n40 2 0.5\n23\n'),
    ('type pair struct{ a, b int }\nfunc (p pair) sum() int { return p.a + p.b }\nfmt.Println(pair{1, y}.sum())', '3\n'),
    ('pair{1, 2}.sum()', '3\n'),
    ('pair{1, 2}', '{1 2}\n'),
    ('p := pair{3, 4}', ''),
    ('p.sum()', '7\n'),
    ('func (p *pair) swap() { p.a, p.b = p.b, p.a }', ''),
    ('q := p\nq.swap()\nq', '{4 3}\n'),
    ('type stack[T any] struct{ items []T }\n\nfunc (s *stack[T]) push(item T) { s.items = append(s.items, item) }', ''),
    ('var s stack[string]\ns.push("a")\nfmt.Println(s.items)', '[a]\n'),
    ('func apply[T, U any](list []T, f func(T) U) (out []U) {\n\tfor _, x := range list {\n\t\tout = append(out, f(x))\n'
     '\t}\n\treturn out\n}', ''),
    ('apply([]int{1, 2}, double)', '[2 4]\n'),
    ('apply([]string{"a"}, strings.ToUpper)', '[A]\n'),
    ('x := "shadow"\nfmt.Println(x)', 'shadow\n'),
    ('x', '1\n'),
    ('for x := range 2 { fmt.Print(x) }', '01'),
    ('func shadow(double int) int { return double }\nshadow(5)', '5\n'),
    ('größe, ß := 1, 2', ''),
    ('größe + ß', '3\n'),
    ('fmt.Println("∫ω", größe)', '∫ω 1\n'),
    ('if x > 0 {\n\tfmt.Println(`%%`)\n} else {\n}\nloop:\nfor i := range 3 {\n\tif i > 0 { break loop }\n}', '%%\n'),
    ('switch x {\ncase 1:\n\tfmt.Println("one")\n}', 'one\n'),
    ('func() { fmt.Println("literal") }()', 'literal\n'),
    ('go func() {}()\ndefer fmt.Println("deferred")\nfmt.Println("first")', 'first\ndeferred\n'),
    ('ch := make(chan int, 1)\nch <- 1\n<-ch', ''),
    ('%%\nfmt.Println(x)', '1\n'),
    ('%%\nx := 5\nx', '5\n'),
    ('x', '1\n'),
    ('import "flag"\nvar word = flag.String("word", "none", "")\n%% -word=given\n*word', 'given\n'),
    ('*word', 'none\n'),
    ('func main() {\n\tfmt.Println("main")\n}', r'main redeclared|main\n'),
    ('func TestSum(t *testing.T) {\n\tif 1+1 != 2 {\n\t\tt.Fail()\n\t}\n}\n%test', r'(?s)RUN   TestSum.*PASS'),
    ('func greet() { fmt.Println("greeted") }\n%exec greet', 'greeted\n'),
    ('const (\n\tred = iota\n\tgreen\n)\ngreen', '1\n'),
    ('green', '1\n'),
    ('var (\n\tu = 1\n\tv = u + 1\n)', ''),
    ('u + v', '3\n'),
    ('u := 10', ''),
    ('u + v', '21\n'),
    ('import (\n\t"sort"\n\tstr "strings"\n)\nlist := str.Fields("b a")\nsort.Strings(list)\nlist', '[a b]\n'),
    ('str.ToUpper("again")', 'AGAIN\n'),
    ('import . "math"\nFloor(2.5)', '2\n'),
    ('import "sort"', ''),
    ('rand.N(1)', '0\n'),
    ('template.HTMLEscapeString("<")', '&lt;\n'),
    ('%%bash\necho from bash', 'from bash\n'),
    ('!echo one \\\ntwo', 'one two\n'),
    ('%env NKF_TEST=3\nos.Getenv("NKF_TEST")', 'Set: NKF_TEST="3"\n3\n'),
    ('%ls', r'(?s)func apply\n.*import str "strings"\n.*type pair|func double'),
    ('%rm u v', ''),
    ('u', r'CompileError: cell \[\d+\], line 1: undefined: u'),
    ('// only a comment', ''),
    ('', ''),
    ('var data = func() int {\n\tfmt.Println("reading")\n\treturn 7\n}()', 'reading\n'),
    ('x', '1\n'),
    ('data', 'reading\n7\n'),
    ('fmt.Println("a")\nfmt.Fprintln(os.Stderr, "b")', r'^(a\nb\n|b\na\n)$'),
    ('var word2 string\nfmt.Scanln(&word2)\nword2 == ""', r'(?s)(cells have no input.*)?true\n'),
    ('image.NewGray(image.Rect(0, 0, 3, 3))', '<image/png>'),
    ('import "github.com/neuralkforms/nkf/nkfx/figures"\n\nfigures.NewPanel("a")', '<image/png>'),
    ('&figures.Table{Title: "t", Head: []string{"h"}}', '<text/html>'),
    ('nkfx.Show("text")', '<text/markdown>'),
    ('nkfx.Check(nkfx.Keep("n", 4))', ''),
    ('*nkfx.Must(nkfx.Kept[int]("n")) + 1', '5\n'),
    # Mistakes, each said once.
    ('twice(2)', r'^CompileError: cell \[\d+\], line 1: undefined: twice$'),
    ('\n\nfmt.Println(x, nope)', r'^CompileError: cell \[\d+\], line 3: undefined: nope$'),
    ('hello world', r"^CompileError: cell \[\d+\], line 1: expected ';', found world$"),
    ('x := 1\nfmt.Println(2)', r'^CompileError: cell \[\d+\], line 1: declared and not used: x$'),
    ('x := 2\n!echo hi\nfunc bad() int {\n\n\treturn no\n}\nfmt.Println(x)',
     r'^hi\nCompileError: cell \[\d+\], line 5: undefined: no$'),
    ('func bad() int { return "a" }', r'line 1: cannot use "a"'),
    ('fmt.Println(1', r'^CompileError: cell \[\d+\], line 1: '),
    ('func f2() {', r'^CompileError: cell \[\d+\], line 1: '),
    ('fmt.Nope()', r'line 1: undefined: fmt.Nope$'),
    ('import "example.com/none"', r'line 1: there is no package example.com/none in the modules .*go get'),
    ('import "nosuch"', r'there is no package nosuch in the standard library'),
    ('var i = 3\n%%\nfmt.Println([]int{1}[i])', r'^Panic: cell \[\d+\], line 3: panic: .*out of range \[3\]'),
    ('func boom(x []int) int {\n\treturn x[7]\n}', ''),
    ('\nboom(nil)', r'^Panic: cell \[\d+\], line 2: panic: runtime error: index out of range \[7\] with length 0$'),
    ('nkfx.Check(fmt.Errorf("no data"))', r'^Error: cell \[\d+\], line 1: no data$'),
    ('func late() {\n\tnkfx.Must(1, fmt.Errorf("late"))\n}\nlate()', r'^Error: cell \[\d+\], line 2: late$'),
    ('late()', r'^Error: cell \[\d+\], line 2, called in cell \[\d+\], line 1: late$'),
    ('os.Exit(3)', r'^Error: exit status 3$'),
    ('panic("deliberate")', r'^Panic: cell \[\d+\], line 1: panic: deliberate$'),
    ('fmt.Println("alive")', 'alive\n'),
]

# Cells that are being typed: what Tab offers at the cursor, or Shift-Tab says there.
TYPED = [
    ('tab', 'math.Sq‸', 'Sqrt'), ('tab', 'x := math.Sq‸', 'Sqrt'), ('tab', 'var x = math.Sq‸', 'Sqrt'),
    ('tab', 'f := layers.KF‸', 'KForm'), ('tab', '%%\nfmt.Printl‸', 'Println'), ('tab', 'fmt.Println(dou‸', 'double'),
    ('tab', 'fmt.Println(1)\nfunc g() {\n\tmath.S‸\n}', 'Sqrt'), ('tab', 'x := "ä𝄞"\nfmt.Printl‸\nfunc g() {}', 'Println'),
    ('tab', 'p.su‸', 'sum'), ('tab', 'p.‸', 'swap'), ('tab', 'if x > 0 {\n\tstrings.ToU‸', 'ToUpper'),
    ('tab', 'import "github.com/neuralkforms/nkf/la‸', 'github.com/neuralkforms/nkf/layers'),
    ('tab', 'import (\n\t"encoding/js‸', 'encoding/json'), ('tab', 'grö‸', 'größe'), ('tab', 'figures.NewP‸', 'NewPanel'),
    ('tab', '!echo hi\nstrings.Rep‸', 'Repeat'), ('tab', 'for i := range 3 {\n\tfmt.Pri‸\n}', 'Println'),
    ('tab', 'type t struct{ s strings.Bui‸ }', 'Builder'), ('tab', 'func h(r io.Rea‸', 'Reader'),
    ('explain', 'math.Sqrt‸', 'square root'), ('explain', 'math.Sq‸rt', 'square root'),
    ('explain', 'layers.KForm‸', 'differential forms'), ('explain', 'double‸', 'double doubles'),
    ('explain', 'x‸', 'var x'), ('explain', 'layers.KForm(‸', 'parameter **scope'),
    ('explain', 'strings.Repeat("a", ‸', 'parameter **count int**'), ('explain', 'strings.Repeat(‸)', 'parameter **s'),
    ('explain', 'fmt.Pri‸ntln("a")', 'formats using the default formats'), ('explain', '%%\nfmt.Println‸("a")', 'default formats'),
    ('explain', 'y := double(‸', 'parameter **n int**'), ('explain', 'größe‸', 'var größe'), ('explain', '// a‸', ''),
    ('explain', 'p.sum‸()', 'sum()'), ('explain', 'fmt.‸', ''),
]


def converse(kernel):
    cells = 0
    for code, want in CELLS:
        said = kernel.run(code)
        cells += 1
        check(said == want or want and re.search(want, said) and want != '', f'{code!r} says {said!r}, not {want!r}')
    for what, typed, want in TYPED:
        at = typed.index(LINE)
        code = typed.replace(LINE, '')
        cells += 1
        if what == 'tab':
            matches, replaced = kernel.complete(code, at)
            check(want in matches and len(matches) == len(set(matches)), f'Tab in {typed!r} offers {matches}')
            check(want.startswith(replaced), f'Tab in {typed!r} replaces {replaced!r}')
        else:
            said = kernel.explain(code, at)
            check(want in said and 'unexpected' not in said, f'Shift-Tab in {typed!r} says {said!r}')
    print(f'{cells} cells')
    names = selections = 0
    for code, _ in CELLS:
        if re.search(r'^%%\w|^!|nope|none|nosuch|Nope', code, re.M):
            continue
        blank = re.sub(r'"(?:[^"\\]|\\.)*"|`[^`]*`|//.*', lambda text: ' ' * len(text[0]), code)
        for name in re.finditer(r'[^\W\d]\w*', blank):
            said = kernel.explain(code, name.end())
            # Keywords have no explanation, and gopls explains the variable of a switch by its clauses.
            check(said == '' or name[0] in said or name[0] in ('err', 'iota', 'nil', 'true', 'm'),
                  f'Shift-Tab on {name[0]} of {code!r} says {said!r}')
            names += said != ''
        for name in re.finditer(r'\b(math|strings|fmt|strconv|p|figures|nkfx|os)\.(\w\w+)', blank):
            begin = name.start(2)
            for end, rest in ((begin + 2, code[name.end():]), (begin + 2, '')):  # as typed, within the rest and alone
                matches, _ = kernel.complete(code[:end] + rest, end)
                check(name[2] in matches, f'Tab in {code[:end] + LINE + rest!r} offers {matches}, not {name[2]}')
                selections += 1
    print(f'{names} names explained, {selections} completed')


def interrupt(kernel, step=0.1, last=10):
    """A loop ends soon, whether it is compiled or runs."""
    slowest = 0
    for i in range(round(last / step)):
        request = kernel.send(f'for {{\n\ttime.Sleep(time.Millisecond) // {i}\n}}' if i % 2 else
                              f'import "github.com/neuralkforms/nkf/nkfx"\nnkfx.Backend()\nfor {{ }} // {i}')
        time.sleep(max(0.002, i * step))
        begin = time.time()
        kernel.manager.interrupt_kernel()
        said, reply = kernel.result(request, timeout=30)
        slowest = max(slowest, time.time() - begin)
        check(reply['status'] == 'error' and said == 'Interrupted: interrupted', f'interrupted after {i * step} s: {said}')
    check(kernel.run('1') == '1\n', 'the kernel goes on')
    begin = time.time()
    request = kernel.send('!sleep 60\n!sleep 60')
    time.sleep(1)
    kernel.manager.interrupt_kernel()
    kernel.result(request)
    check(time.time() - begin < 10, 'a command of the shell goes on')
    print(f'interrupts end cells within {slowest:.2f} s')


def much(kernel):
    """A client that takes long for a message gets all."""
    code = 'for i := range 400000 {\n\tfmt.Println("line", i, "of some text that makes it longer, by fifty bytes")\n}'
    want = ''.join(f'line {i} of some text that makes it longer, by fifty bytes\n' for i in range(400000))
    check(kernel.run(code, slow=1) == want, 'output is lost')
    print(f'{len(want) / 1e6:.0f} MB of output came whole')


def queue(kernel):
    """Cells that wait while one fails do not run, unless the request says otherwise."""
    for stop in (True, False):
        requests = [kernel.client.execute(code, stop_on_error=stop) for code in ('nope()', '2', '3')]
        states = [kernel.result(r)[1]['status'] for r in requests]
        check(states == (['error', 'aborted', 'aborted'] if stop else ['error', 'ok', 'ok']), f'cells end {states}')


def processes():
    """The processes of kernels, which have their folder for temporary files in the environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/environ', 'rb') as environ:
                of_cell = b'nkf-session-' in environ.read()
            with open(f'/proc/{pid}/cmdline', 'rb') as line:
                kernel = b'kernel\0run\0' in line.read()
        except OSError:
            continue
        if of_cell or kernel:
            found.append(pid)
    return found


def killed(count=20):
    """Kernels end with their server, when that is killed, with all that they have started."""
    before = set(processes())
    code = ('import sys; sys.path.insert(0, sys.argv[1]); from conversation import Kernel\n'
            'k = Kernel(); k.send("for { }"); k.complete("fmt.Pri", 7); print("started", flush=True); import time\n'
            'time.sleep(600)')
    servers = []
    for _ in range(count):
        servers.append(subprocess.Popen([sys.executable, '-c', code, os.path.dirname(os.path.abspath(__file__))],
                                        stdout=subprocess.PIPE))
        servers[-1].stdout.readline()
    running = len(set(processes()) - before)
    check(running >= 2 * count, f'{running} processes of {count} kernels')
    for server in servers:
        server.send_signal(signal.SIGKILL)
        server.wait()
    begin = time.time()
    while left := set(processes()) - before:
        if time.time() - begin > 10:
            check(False, f'{len(left)} of {running} processes are left')
            break
        time.sleep(0.05)
    print(f'{running} processes of {count} kernels ended {time.time() - begin:.1f} s after their servers')


NKF = 'import "github.com/neuralkforms/nkf/nkfx"\n'
MODEL = '''import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/neuralkforms/nkf/nkfx"
)
%%%%
backend := nkfx.Must(nkfx.Backend())
y := nkfx.Must(graph.CallOnce(backend, func(x *graph.Node) *graph.Node { return graph.MulScalar(x, %d) }, []float32{1}))
fmt.Println(y)
'''


def times():
    """How long things take, in seconds: the kernel, and GoNB without it if `gonb --install` has installed it."""
    rows = {}
    names = ['nkf']
    try:
        from jupyter_client.kernelspec import KernelSpecManager
        KernelSpecManager().get_kernel_spec('gonb')
        names.append('gonb')
    except Exception:
        print('the kernel gonb is not installed')
    for name in names:
        def note(what, begin):
            rows.setdefault(what, {})[name] = f'{time.time() - begin:.2f}'

        def timed(what, action):
            begin = time.time()
            try:
                action()
                note(what, begin)
            except Exception as error:  # GoNB may need what nkf does not
                rows.setdefault(what, {})[name] = type(error).__name__
        begin = time.time()
        kernel = Kernel(name)
        note('kernel ready', begin)
        body = '%%\n' if name == 'gonb' else ''
        timed('first Println', lambda: kernel.run(body + 'fmt.Println("first")'))
        timed('Println', lambda: kernel.run(body + 'fmt.Println("second")'))
        timed('the same again', lambda: kernel.run(body + 'fmt.Println("second")'))
        if name == 'gonb':
            checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
            kernel.run(f'!*rm -f go.work && go work init . {checkout}\n%noautoget\n%goflags "-ldflags=-s -w"')
        timed('first nkf cell', lambda: kernel.run(MODEL % 1))
        timed('a new model', lambda: kernel.run(MODEL % 2))
        timed('the same model again', lambda: kernel.run(MODEL % 2))
        code = '%%\nfmt.Println("a")'
        timed('first Tab', lambda: until(lambda: kernel.complete('%%\nfmt.Printl', 13)[0]))
        timed('Tab', lambda: kernel.complete('%%\nfmt.Fprintl', 14))
        timed('Shift-Tab', lambda: kernel.explain(code, 9))
        for what, code, wait in (('interrupt of a build', MODEL % 3, 0.3), ('interrupt of a loop', '%%\nfor { }', 3)):
            request = kernel.send(code)
            time.sleep(wait)
            begin = time.time()
            kernel.manager.interrupt_kernel()
            kernel.result(request)
            note(what, begin)
        kernel.end()
    print(f'{"seconds":28}' + ''.join(f'{name:>8}' for name in names))
    for what, row in rows.items():
        print(f'{what:28}' + ''.join(f'{row.get(name, "-"):>8}' for name in names))


def until(answer, longest=120):
    begin = time.time()
    while not (found := answer()) or any('still loading' in text for text in found):
        if time.time() - begin > longest:
            raise TimeoutError
        time.sleep(0.05)


if __name__ == '__main__':
    if sys.argv[1:] == ['times']:
        times()
        sys.exit()
    kernel = Kernel()
    try:
        until(lambda: kernel.complete('fmt.Printl', 10)[0])
        for part in sys.argv[1:] or ['converse', 'queue', 'much', 'interrupt']:
            globals()[part](kernel)
        if not sys.argv[1:]:
            kernel.manager.restart_kernel()
            kernel.connect()
            check('undefined: x' in kernel.run('x'), 'a new kernel knows nothing')
            check(kernel.run('1') == '1\n', 'it runs')
    finally:
        kernel.end()
    if not sys.argv[1:]:
        killed()
    sys.exit(f'{len(WRONG)} wrong answers' if WRONG else 0)
