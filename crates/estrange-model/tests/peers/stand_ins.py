"""Makes empty stand-ins, in a folder, for the libraries of a GPU that PyTorch is linked with.

PyTorch as the package index has it for Linux does not start without these libraries, which take 3 GB and are not used
on a CPU. Those that are installed are left alone. Each stand-in has the functions that PyTorch names; all of them
answer that there is no device.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys

NO_DEVICE = 100

folder = pathlib.Path(sys.argv[1])
done = folder / "done"
if done.exists():
    sys.exit()
folder.mkdir(parents=True, exist_ok=True)
packages = pathlib.Path(importlib.util.find_spec("torch").origin).parent.parent
libraries = list(packages.glob("torch/lib/*.so*"))
installed = list(packages.glob("nvidia/*/lib/*.so*"))


def printed(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


needed, functions = set(), set()
for library in libraries:
    needed.update(re.findall(r"NEEDED.*\[(lib(?:cu|nccl|nv)[^]]*)]", printed("readelf", "-dW", library)))
    functions.update(re.findall(r" [Uw] ((?:cu|nccl|nv|__cuda)\w+)(?:@(\S+))?$", printed("nm", "-Du", library), re.M))
needed.difference_update(library.name for library in libraries + installed)

for name in needed:
    # Most of these libraries give each function their own name as its version.
    versions = {version for _, version in functions if version == name or version and version.lower() in name}
    version = versions.pop() if versions else ""
    code = "".join(f"int {function}(void) {{ return {NO_DEVICE}; }}\n" for function, its in functions if its == version)
    (folder / "code.c").write_text(code)
    (folder / "versions").write_text(f"{version} {{ global: *; }};\n")
    script = [f"-Wl,--version-script,{folder / 'versions'}"] if version else []
    options = ["-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname,{name}", *script]
    printed("gcc", *options, "-o", folder / name, folder / "code.c")
done.touch()
