"""A conversation with the kernel "Go (nkf)" as Jupyter has it: cells of all kinds are run, and every name in them is
completed and explained; interrupts at any moment; a restart; much output; kernels whose server is killed.

  python conversation.py           checks it all, in ten minutes; fails with what is wrong
  python conversation.py times     how long things take, in seconds, with this kernel and with GoNB alone, which needs
                                   goimports beside it; from the checkout, after make kernel, on a quiet machine:

    GOBIN=$PWD/.tools/bin go install golang.org/x/tools/cmd/goimports@v0.44.0
    .venv/bin/python .jupyter/conversation.py times
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from jupyter_client.manager import KernelManager

from cells import CELLS, LINE, TYPED

MESH = '&mesh.Mesh{Vertices: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Triangles: []int32{0, 1, 2}}'


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
        said, messages, self.kinds = '', 0, []
        while True:
            message = self.client.get_iopub_msg(timeout=timeout)
            if message['parent_header'].get('msg_id') != request:
                continue
            kind, content = message['msg_type'], message['content']
            messages += 1
            self.kinds.append(kind)
            if kind == 'stream':
                said += content['text']
                if messages < 20:
                    time.sleep(slow)
            elif kind == 'execute_result' and list(content['data']) == ['text/plain']:
                said += content['data']['text/plain'] + '\n'
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

    def busy(self, request):
        """Waits until a request is taken up."""
        while self.client.get_iopub_msg(timeout=60)['parent_header'].get('msg_id') != request:
            pass

    def run(self, code, **how):
        return self.result(self.send(code), **how)[0]

    def complete(self, code, at):
        reply = self.client.complete(code, at, reply=True, timeout=60)['content']
        return reply['matches'], code[reply['cursor_start']:reply['cursor_end']]

    def explain(self, code, at):
        return self.client.inspect(code, at, reply=True, timeout=60)['content']['data'].get('text/plain', '')

    def ask(self, kind, content=None, control=False):
        """The reply to a request of any kind, by the shell or the control channel."""
        channel = self.client.control_channel if control else self.client.shell_channel
        request = self.client.session.msg(kind, content or {})
        channel.send(request)
        while True:
            reply = channel.get_msg(timeout=60)
            if reply['parent_header'].get('msg_id') == request['header']['msg_id']:
                return reply['content']


WRONG = []


def check(ok, said):
    if not ok:
        print('wrong:', said, flush=True)
        WRONG.append(said)

def converse(kernel):
    cells = 0
    for code, want in CELLS:
        said = kernel.run(code)
        cells += 1
        expression = want.startswith(('^', '(?'))
        check(said == want or expression and re.search(want, said), f'{code!r} says {said!r}, not {want!r}')
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
        if re.search(r'^%%\w|^!|nope|none|nosuch|Nope|fmt.println', code, re.M):
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


def protocol(kernel):
    """What clients ask beside cells."""
    for control in (False, True):
        info = kernel.ask('kernel_info_request', control=control)
        check(info['implementation'] == 'nkf' and info['implementation_version'] in info['banner'], f'it says {info}')
        language = info['language_info']
        check([language[k] for k in ('name', 'pygments_lexer', 'codemirror_mode', 'nbconvert_exporter')] ==
              ['go', 'go', 'go', 'script'], f'its language is {language}')
    debug = kernel.ask('debug_request', {'type': 'request', 'seq': 3, 'command': 'debugInfo'}, control=True)
    check((debug['success'], debug['request_seq'], debug['command']) == (False, 3, 'debugInfo'), f'debug says {debug}')

    count = kernel.result(kernel.send('0'))[1]['execution_count']
    for code, want, value in ((MESH, '<image/png>', True), ('"𝔽"', '𝔽\n', True), ('fmt.Println("a")\n"b"', 'a\nb\n', True),
                              ('fmt.Print("c")', 'c', False), ('nope', None, False),
                              ('image.NewGray(image.Rect(0, 0, 3, 3))', '<image/png>', True)):
        said, reply = kernel.result(kernel.send(code))
        count += 1
        check(reply['execution_count'] == count and (want is None or said == want), f'{code!r} says {said!r}, {reply}')
        check(kernel.kinds.count('execute_result') == value, f'{code!r} is said by {kernel.kinds}')
    said, reply = kernel.result(kernel.client.execute('fmt.Println("a")\n"b"', store_history=False))
    check(said == 'a\nb\n' and reply['execution_count'] == count, f'without history: {said!r}, {reply}')
    for code, status in (('fmt.Println("a")\n"b"', 'ok'), ('nope', 'error'), ('!echo a', 'ok'), ('panic("p")', 'error')):
        request = kernel.client.execute(code, silent=True)
        kinds = []
        while not kinds or kinds[-1] != 'idle':
            message = kernel.client.get_iopub_msg(timeout=60)
            if message['parent_header'].get('msg_id') == request:
                kinds.append(message['content'].get('execution_state', message['msg_type']))
        reply = kernel.client.get_shell_msg(timeout=60)['content']
        check(kinds == ['busy', 'idle'] and reply['status'] == status and reply['execution_count'] == count,
              f'silent, {code!r} says {kinds} and {reply}')

    expressions = {'sum': 'apples + 2', 'none': 'pears', 'panic': 'panic("no")', 'text': '"ä"'}
    reply = kernel.result(kernel.client.execute('apples := 1', user_expressions=expressions))[1]['user_expressions']
    check({name: answer.get('data', {}).get('text/plain') or answer['evalue'] for name, answer in reply.items()} ==
          {'sum': '3', 'none': f'cell [{count + 1}], line 1: undefined: pears', 'panic': 'panic: no', 'text': 'ä'},
          f'the values of expressions are {reply}')

    def history(how, **more):
        content = {'output': False, 'raw': True, 'hist_access_type': how, **more}
        return [tuple(line[1:]) for line in kernel.ask('history_request', content)['history']]
    check(history('tail', n=2) == [(count, 'image.NewGray(image.Rect(0, 0, 3, 3))'), (count + 1, 'apples := 1')],
          f'the history ends in {history("tail", n=2)}')
    check(history('range', session=0, start=count - 4, stop=count - 2, output=True) ==
          [(count - 4, ['"𝔽"', '𝔽']), (count - 3, ['fmt.Println("a")\n"b"', 'b'])], 'a range of the history')
    check(history('search', pattern='*Print*"b"', n=1, unique=True) == [(count - 3, 'fmt.Println("a")\n"b"')] and
          history('search', pattern='Print') == [], 'a search of the history')

    for code, status in (('x', 'complete'), ('if x {', 'incomplete'), ('x +', 'incomplete'), ('x)', 'invalid')):
        check(kernel.ask('is_complete_request', {'code': code})['status'] == status, f'{code!r} is not {status}')

    check(kernel.ask('comm_info_request') == {'status': 'ok', 'comms': {}}, 'there are comms')
    for target, state in (('jupyter.widget', 'comm_close'), ('gonb_comm', None)):
        content = {'comm_id': target, 'target_name': target, 'data': {}}
        kernel.client.shell_channel.send(opened := kernel.client.session.msg('comm_open', content))
        kinds = [] if state else [None]
        while state not in kinds:
            message = kernel.client.get_iopub_msg(timeout=60)
            if message['parent_header'].get('msg_id') == opened['header']['msg_id']:
                kinds.append(message['msg_type'])
        check(kernel.ask('comm_info_request')['comms'] == ({} if state else {target: {'target_name': target}}),
              f'comms to {target}')
    kernel.client.shell_channel.send(kernel.client.session.msg('comm_close', {'comm_id': 'gonb_comm', 'data': {}}))
    check(kernel.ask('comm_info_request', {'target_name': 'gonb_comm'})['comms'] == {}, 'a comm stays')


def interrupt(kernel, step=float(os.environ.get('NKF_STEP', 0.1)), last=10):
    """A loop ends soon, whether it is compiled or runs."""
    slowest = 0
    for i in range(round(last / step)):
        request = kernel.send(f'for {{\n\ttime.Sleep(time.Millisecond) // {i}\n}}' if i % 2 else
                              f'import "github.com/neuralkforms/nkf/nkfx"\nnkfx.Backend()\nfor {{ }} // {i}')
        kernel.busy(request) # it has come: an interrupt takes another way, and may be faster
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
    said, reply = kernel.result(request)
    check(time.time() - begin < 10, 'a command of the shell goes on')
    check(reply['status'] == 'error' and said == 'Interrupted: interrupted', f'an interrupted command says {said!r}')
    begin = time.time()
    request = kernel.send('c := exec.Command("sh", "-c", "trap \'\' INT; sleep 60; sleep 60")\n'
                          'c.Stdout = os.Stdout\nnkfx.Check(c.Start())')
    time.sleep(8)
    kernel.manager.interrupt_kernel()
    kernel.result(request)
    check(time.time() - begin < 30, 'what a program has left goes on')
    print(f'interrupts end cells within {slowest:.2f} s')


def much(kernel):
    """A client that takes long for a message gets all, with whole characters."""
    code = 'for i := range 400000 {\n\tfmt.Println("line", i, "of text: ∫ dω = ∫ ω, 𝄞, and more, to fifty characters")\n}'
    want = ''.join(f'line {i} of text: ∫ dω = ∫ ω, 𝄞, and more, to fifty characters\n' for i in range(400000))
    check(kernel.run(code, slow=1) == want, 'output is lost')
    print(f'{len(want.encode()) / 1e6:.0f} MB of output came whole')


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


def killed(count=6):
    """Kernels end with their server, when that is killed, with all that they have started."""
    before = set(processes())
    code = ('import sys; sys.path.insert(0, sys.argv[1]); from conversation import Kernel\n'
            'k = Kernel(); k.send("for { }"); k.complete("fmt.Pri", 7); print("started", flush=True); import time\n'
            'time.sleep(600)')
    servers = []
    for _ in range(count):
        servers.append(subprocess.Popen([sys.executable, '-c', code, os.path.dirname(os.path.abspath(__file__))],
                                        stdout=subprocess.PIPE))
    for server in servers:
        server.stdout.readline()
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
    """How long things take, in seconds: with the kernel, and with GoNB alone where it has goimports."""
    rows = {}
    names = ['nkf']
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    tools = os.path.join(checkout, '.tools', 'bin')
    data = tempfile.TemporaryDirectory(prefix='nkf-times-')
    if os.path.exists(os.path.join(tools, 'goimports')):
        names.append('gonb')
        spec = os.path.join(data.name, 'kernels', 'gonb', 'kernel.json')
        os.makedirs(os.path.dirname(spec))
        with open(spec, 'w') as file:
            json.dump({'argv': [os.path.join(tools, 'gonb'), '--kernel', '{connection_file}', '-stderrthreshold=FATAL',
                                '-logtostderr=false'],
                       'display_name': 'GoNB', 'language': 'go', 'interrupt_mode': 'message',
                       'env': {'PATH': tools + ':${PATH}', 'TMPDIR': data.name, 'GOMLX_NO_AUTO_INSTALL': '1'}}, file)
        os.environ['JUPYTER_PATH'] = data.name
    else:
        print('without GoNB alone: it needs goimports in .tools/bin')
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
    data.cleanup()
    print(f'{"seconds":28}' + ''.join(f'{name:>8}' for name in names))
    for what, row in rows.items():
        print(f'{what:28}' + ''.join(f'{row.get(name, "-"):>8}' for name in names))


def until(answer, longest=120):
    begin = time.time()
    while not (found := answer()):
        if time.time() - begin > longest:
            raise TimeoutError
        time.sleep(0.05)


if __name__ == '__main__':
    if sys.argv[1:] == ['times']:
        times()
        sys.exit()
    kernel = Kernel()
    try:
        offered = kernel.complete('fmt.Printl', 10)[0]  # gopls is still loading
        check(offered in ([], ['Println']), f'Tab offers {offered}')
        until(lambda: kernel.complete('fmt.Printl', 10)[0])
        for part in sys.argv[1:] or ['converse', 'protocol', 'queue', 'much', 'interrupt']:
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
