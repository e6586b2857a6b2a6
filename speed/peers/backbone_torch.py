"""PyTorch on a folder of photographs: a backbone's vectors, from image files on, decoded as torchvision's users do.

usage: backbone_torch.py BACKBONE_FOLDER LIST [threads] [VECTORS.npy]

LIST holds the path of an image per line. The network is that of onnx/model.onnx, node by node in torch's functions.
PyTorch at its best: of three ways to run the network the one that is fastest here, and with worker processes that
decode or without them, whichever takes less time. Loading the network is not timed. Prints one JSON line.
"""
import json, resource, sys, time
import numpy, onnx, torch
import torch.nn.functional as F
from onnx import numpy_helper
from PIL import Image, ImageOps

SIDE, SHORTER = 224, 256
BATCH = 16


class Network(torch.nn.Module):
    """The vectors are the output `embedding`; what follows it is left out."""

    def __init__(self, path):
        super().__init__()
        graph = onnx.load(path).graph
        self.values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
        self.input = graph.input[0].name
        last = next(at for at, node in enumerate(graph.node) if "embedding" in node.output)
        self.nodes = [
            (node.op_type, list(node.input), node.output[0],
             {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute})
            for node in graph.node[: last + 1]
        ]

    def forward(self, images):
        values = {**self.values, self.input: images}
        for kind, inputs, output, attributes in self.nodes:
            values[output] = OPERATORS[kind](attributes, *(values[name] for name in inputs))
        return values["embedding"]


def conv(attributes, x, weight, bias):
    top, left, bottom, right = attributes["pads"]
    padding = (top, left)
    if (top, left) != (bottom, right):
        x, padding = F.pad(x, (left, right, top, bottom)), 0
    return F.conv2d(x, weight, bias, attributes["strides"], padding, 1, attributes["group"])


OPERATORS = {
    "Sub": lambda _, a, b: a - b,
    "Add": lambda _, a, b: a + b,
    "Relu": lambda _, x: F.relu(x),
    "Clip": lambda _, x, low, high: F.hardtanh(x, float(low), float(high)),
    "Conv": conv,
    "MaxPool": lambda attributes, x: F.max_pool2d(
        x, attributes["kernel_shape"], attributes["strides"], attributes["pads"][:2]),
    "GlobalAveragePool": lambda _, x: F.adaptive_avg_pool2d(x, 1),
    "Reshape": lambda _, x, shape: x.flatten(1),
}


class Photographs(torch.utils.data.Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        image = ImageOps.exif_transpose(Image.open(self.files[index])).convert("RGB")
        scale = SHORTER / min(image.size)
        image = image.resize([int(side * scale) for side in image.size], Image.BILINEAR)
        left, top = (image.width - SIDE) // 2, (image.height - SIDE) // 2
        pixels = numpy.array(image.crop((left, top, left + SIDE, top + SIDE)))
        return torch.from_numpy(pixels).permute(2, 0, 1).float().div(255)


def fastest(network):
    """Traced and frozen, in either layout, or rewritten for oneDNN; as fast as its best of three runs."""
    plain = torch.rand(BATCH, 3, SIDE, SIDE)
    last = plain.contiguous(memory_format=torch.channels_last)
    frozen = [torch.jit.freeze(torch.jit.trace(network, images)) for images in (plain, last)]
    ways = [(frozen[0], plain), (frozen[1], last), (torch.jit.optimize_for_inference(frozen[0]), plain)]

    def seconds(way):
        run, images = way
        run(images), run(images)
        return min(timed(lambda: run(images))[1] for _ in range(3))

    run, images = min(ways, key=seconds)
    layout = torch.channels_last if images is last else torch.contiguous_format
    return lambda images: run(images.contiguous(memory_format=layout))


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def vectors(network, files, workers):
    """Starting the workers belongs to it: decoding begins with them."""
    loader = torch.utils.data.DataLoader(Photographs(files), BATCH, num_workers=workers)
    return torch.cat([network(images) for images in loader])


folder, listing = sys.argv[1:3]
threads = int(sys.argv[3]) if len(sys.argv) > 3 else 2
torch.set_num_threads(threads)
with open(listing) as file:
    files = file.read().splitlines()

with torch.no_grad():
    network = fastest(Network(folder + "/onnx/model.onnx").eval())
    runs = [timed(lambda: vectors(network, files, workers)) for workers in (0, threads)]

found, seconds = min(runs, key=lambda run: run[1])
if len(sys.argv) > 4:
    numpy.save(sys.argv[4], found.numpy())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps(dict(peer="pytorch", imagesPerSecond=round(len(files) / seconds, 2), peakMegabytes=peak)))
