"""Opens an exported .glb and .obj with trimesh and the Khronos glTF validator.

Usage: read_meshes.py STONERUN MAP [export options]

Needs trimesh from PyPI and gltf-validator from npm, in a folder that NODE_PATH names. The number of
faces must be the number of triangles that the export reports, and the validator must find no error and
no warning.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import trimesh

VALIDATE = """
const validator = require('gltf-validator');
const bytes = new Uint8Array(require('fs').readFileSync(process.argv[1]));
validator.validateBytes(bytes).then((report) => console.log(JSON.stringify(report.issues)));
"""


def main():
    stonerun, source, *options = sys.argv[1:]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for extension in ["glb", "obj"]:
            target = pathlib.Path(folder) / f"export.{extension}"
            command = [stonerun, "export", source, target, "--json", *options]
            said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            scene = trimesh.load(target, force="scene", process=False, maintain_order=True)
            faces = sum(len(mesh.faces) for mesh in scene.geometry.values())
            size = [int(side) for side in scene.extents.round()]
            print(f".{extension}: {faces:,} faces of {said['triangles']:,} triangles, {size[0]} x {size[1]} x {size[2]} metres")
            failed |= faces != said["triangles"]
            if extension == "glb":
                issues = json.loads(subprocess.run(["node", "-e", VALIDATE, target], capture_output=True, text=True, check=True).stdout)
                print(f".glb: {issues['numErrors']} errors, {issues['numWarnings']} warnings, {issues['numInfos']} infos")
                failed |= issues["numErrors"] + issues["numWarnings"] > 0
    sys.exit(failed)


main()
