"""Links two network namespaces as if they were two hosts some way apart, until its input ends.

usage: slow_link.py NAMESPACE ADDRESS NAMESPACE ADDRESS ONE_WAY_MILLISECONDS

Packets go from one TUN device to the other through this process, which keeps each for so long: kernels without netem
delay nothing themselves. Their rate is limited by the kernel, with tc on the devices.
"""
import collections, ctypes, fcntl, os, struct, subprocess, sys, threading, time

TUNSETIFF, IFF_TUN, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 0x0001, 0x1000, 0x40000000
MTU = 60000
libc = ctypes.CDLL(None, use_errno=True)


def open_tun(namespace, address, device):
    """A device in that namespace; a thread that has entered one stays there, so this is its last work."""
    with open(f"/run/netns/{namespace}") as handle:
        if libc.setns(handle.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
    for words in (["addr", "add", f"{address}/24", "dev", device], ["link", "set", device, "mtu", str(MTU), "up"]):
        subprocess.run(["ip", *words], check=True)
    return tun


def relay(source, target, delay):
    waiting, ready = collections.deque(), threading.Semaphore(0)

    def read():
        while True:
            waiting.append((os.read(source, MTU + 64), time.monotonic() + delay))
            ready.release()

    def write():
        while True:
            ready.acquire()
            packet, due = waiting.popleft()
            time.sleep(max(0.0, due - time.monotonic()))
            os.write(target, packet)

    for work in (read, write):
        threading.Thread(target=work, daemon=True).start()


def opened(*given):
    tuns = []
    thread = threading.Thread(target=lambda: tuns.append(open_tun(*given)))
    thread.start()
    thread.join()
    return tuns[0]


a, address_a, b, address_b, milliseconds = sys.argv[1:]
tun_a, tun_b = opened(a, address_a, "tun0"), opened(b, address_b, "tun0")
relay(tun_a, tun_b, float(milliseconds) / 1000)
relay(tun_b, tun_a, float(milliseconds) / 1000)
print("ready", flush=True)
sys.stdin.read()
