package background

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/system/usersocket"
	"mcp-workbench/application/shares"
)

const (
	// maxWindows is the maximum number of hosts that are served simultaneously.
	maxWindows = 512
	// maxHellos is the maximum size of the hellos of all of them, and of those that are arriving, in bytes. A hello has the
	// variables of a window.
	maxHellos = 256 << 20
	// helloTime is the time limit for a hello.
	helloTime = 5 * time.Second
	// acceptPause is the time until a connection is accepted again after that failed.
	acceptPause = 100 * time.Millisecond
	// firstLinger is the time that the workbench waits for its first host.
	firstLinger = time.Minute
)

// Listener is the workbench's side of bridges. Safe for concurrent use.
type Listener struct {
	// Key is the key of the workbench's place.
	Key string
	// Serve serves a host until it is gone or the context ends.
	Serve func(ctx context.Context, host *Host)
	Log   *slog.Logger

	work   sync.WaitGroup
	end    context.CancelFunc
	hellos *shares.Budget

	mu       sync.Mutex // guards the fields below
	linger   time.Duration
	idle     *time.Timer
	windows  map[int]chan os.Signal
	lastID   int
	stopping []net.Conn // from commands that end the workbench; the end of the process closes them
}

// Host is a host whose bridge is connected.
type Host struct {
	Window
	// Stderr is the standard error of the bridge.
	Stderr *os.File
	// Piped is set if the process of the bridge serves the host itself.
	Piped bool
	// Reloads receives a signal when the configuration is to be reloaded.
	Reloads chan os.Signal
	// Input has the messages of the host, and Output takes those for it.
	Input  *bufio.Reader
	Output *os.File

	listener *Listener
	id       int
}

// Accept tells the bridge that the host is served, and the maximum size of its messages in bytes. After its last host
// is gone, the workbench continues to run for the time linger.
func (h *Host) Accept(messageSize int64, linger time.Duration) error {
	h.listener.mu.Lock()
	h.listener.linger = linger
	h.listener.mu.Unlock()
	return writeLine(h.Output, welcome{ID: h.id, MessageSize: messageSize})
}

// Refuse tells the bridge why the host is not served.
func (h *Host) Refuse(problem string) { _ = writeLine(h.Output, welcome{Problem: problem}) }

// Run serves hosts that connect to the socket until the context ends, the user ends the workbench, or it has had
// no host for long enough.
func (l *Listener) Run(ctx context.Context, socket *net.UnixListener) {
	path := socket.Addr().String()
	own, _ := os.Lstat(path)
	socket.SetUnlinkOnClose(false)
	ctx, l.end = context.WithCancel(ctx)
	defer l.end()
	l.hellos = shares.NewBudget(maxHellos, shares.Oldest)
	l.mu.Lock()
	l.windows, l.linger = map[int]chan os.Signal{}, firstLinger
	l.idle = time.AfterFunc(firstLinger, l.end)
	l.mu.Unlock()
	defer context.AfterFunc(ctx, func() { _ = socket.Close() })()
	for {
		connection, err := socket.AcceptUnix()
		if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
			break
		}
		if err != nil { // such as too many open files: the hosts that are served stay
			select {
			case <-time.After(acceptPause):
			case <-ctx.Done():
			}
			continue
		}
		l.work.Go(func() { l.greet(ctx, connection) })
	}
	l.end()
	removeOwn(path, own)
	l.work.Wait()
}

// removeOwn removes a socket, unless another workbench has replaced it.
func removeOwn(path string, own os.FileInfo) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	release, err := safefile.AcquireLock(ctx, lockOf(path))
	if err != nil {
		return
	}
	defer release()
	if now, err := os.Lstat(path); err == nil && own != nil && os.SameFile(now, own) {
		_ = os.Remove(path) // if that fails, the next bridge removes it
	}
}

// greet reads the hello of a connection and handles it.
func (l *Listener) greet(ctx context.Context, connection *net.UnixConn) {
	if err := usersocket.CheckPeer(connection); err != nil {
		l.Log.Warn("refused a connection to the background workbench", "error", err)
		_ = connection.Close()
		return
	}
	_ = connection.SetDeadline(time.Now().Add(helloTime))
	giveUp := func() {
		go func() { _ = connection.Close() }() // elsewhere, since the budget is locked
	}
	arriving := &counted{Reader: connection, held: l.hellos.Admit("", 0, giveUp)}
	defer arriving.held.End()
	from := bufio.NewReaderSize(arriving, 64<<10)
	var greeting hello
	err := readLine(from, maxHello, &greeting)
	arriving.isRead = true
	switch {
	case errors.Is(err, errNoRoom):
		_ = writeLine(connection, welcome{Problem: tooMany})
	case err != nil || !arriving.held.Keep():
	case greeting.Key != l.Key:
		_ = writeLine(connection, welcome{Problem: "it is of another version or configuration"})
	case greeting.Do == doReload:
		l.reload(greeting.ID)
		_ = writeLine(connection, welcome{PID: os.Getpid()})
	case greeting.Do == doStop:
		_ = writeLine(connection, welcome{PID: os.Getpid()})
		_ = connection.SetDeadline(time.Time{})
		l.mu.Lock()
		l.stopping = append(l.stopping, connection)
		l.mu.Unlock()
		l.end()
		return
	case greeting.Do == doServe:
		l.serve(ctx, connection, from, greeting.Window)
	}
	_ = connection.Close()
}

// tooMany tells a host why it is refused.
const tooMany = "it serves too many hosts"

// errNoRoom reports a hello over maxHellos.
var errNoRoom = errors.New("the hellos of all hosts use all the memory for hellos")

// counted counts the bytes of a hello.
type counted struct {
	io.Reader
	held   *shares.Holding
	isRead bool
}

// Read implements io.Reader.
func (c *counted) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	if !c.isRead && !c.held.Grow(int64(n)) {
		return 0, errNoRoom
	}
	return n, err
}

// serve serves a host.
func (l *Listener) serve(ctx context.Context, connection *net.UnixConn, from *bufio.Reader, window Window) {
	output, err := connection.File()
	if err != nil {
		return
	}
	defer output.Close() //nolint:errcheck // each write was checked
	host := &Host{
		Window: window, Stderr: os.Stderr, Reloads: make(chan os.Signal, 1), Input: from, Output: output, listener: l,
	}
	if !l.enter(host) {
		_ = writeLine(output, welcome{Problem: tooMany})
		return
	}
	defer l.leave(host)
	if err := writeLine(output, welcome{PID: os.Getpid()}); err != nil {
		return
	}
	stderr, err := receiveFile(connection)
	if err != nil {
		return
	}
	if stderr != nil {
		defer stderr.Close() //nolint:errcheck // it belongs to the bridge
		host.Stderr = stderr
	}
	_ = connection.SetDeadline(time.Time{})
	l.Serve(ctx, host)
	if ctx.Err() != nil {
		_ = output.SetWriteDeadline(time.Now().Add(time.Second)) // the host may not read
		_, _ = output.WriteString(stopped + "\n")                // tells the bridge why
	}
}

// enter adds a host. It reports false if there are too many.
func (l *Listener) enter(host *Host) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.windows) >= maxWindows {
		return false
	}
	l.idle.Stop()
	l.lastID++
	host.id = l.lastID
	l.windows[host.id] = host.Reloads
	return true
}

// leave removes a host. After the last one, the workbench ends unless another one comes within the linger time.
func (l *Listener) leave(host *Host) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.windows, host.id)
	if len(l.windows) == 0 {
		l.idle.Reset(l.linger)
	}
}

// reload asks for the configuration of a host to be read again, unless that is pending.
func (l *Listener) reload(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.windows[id] <- os.Interrupt:
	default:
	}
}
