#!/usr/bin/env python3
"""Makes pictures by `pliant render`: one of every example (examples/pictures, which `pliant view` shows, too), some of how
else a scene can be looked at (docs/gallery), and the gallery's README.md.
usage: make_gallery.py PLIANT [NAME...]   NAMEs: only these pictures, the README always."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/gallery"
SIZE = "640x400"  # of the examples' pictures

# picture, scene, options, what is seen
PICTURES = [
    ("oak", "oak", "--time 1.5 --camera -62,12", "An oak in gusty wind: 1435 domains, 1394 of them leaves of one class."),
    ("dragon", "dragon", "--time 2.05 --camera -40,22", "A winged animal of forty domains, moved by its chest; limbs, tail and wings follow late."),
    ("flower", "flower", "--time 0.15 --camera -60,18", "A flower of twelve domains, 0.15 s after it was struck: the bloom leans by 45 degrees."),
    ("plant", "plant", "--time 1.0", "A potted plant that is dragged about; 34 domains of four classes lag behind the pot."),
    ("breaking_tree", "breaking_tree", "--time 0.75", "A young tree in a gale: a limb has come off, and in the air its twigs from it."),
    ("station", "station", "--time 2.0 --camera -25,20", "A station in orbit after a push of its thruster: 36 of the 48 domains are panels of one class."),
    ("letters", "letters", "--time 0.8", "A word in free flight: soft letters, rigid links between them."),
    ("creature", "creature", "--time 0.4", "A soft creature of eleven coupled domains, thrown into the air, turning over."),
    ("octopus", "octopus", "--time 2.9", "An octopus of seventeen coupled domains sweeps its arms after the water."),
    ("hammock", "hammock", "--time 2.0 --camera -65,14", "A hammock of five coupled domains, held at both ends, under somebody who sits in it."),
    ("ring", "ring", "--time 1.0", "A ring of eight coupled domains, a true loop, is pulled aside."),
    ("caterpillar", "caterpillar", "--time 0.6", "A caterpillar of eight coupled domains on a twig that moves."),
    ("spoon", "spoon", "--time 0.1", "A rubber spoon, held at its handle, swings after a blow on the bowl: 20 shapes move 5000 vertices."),
    ("bridge", "bridge", "--time 3.4 --camera -75,14", "A footbridge on which people jump in step with its third mode."),
    ("tower", "tower", "--time 5.2 --camera -60,10", "A lattice tower in an earthquake."),
    ("heart", "heart", "--time 1.2", "A heart of 14,640 voxels hangs by its vessels while gravity turns."),
    ("flying", "flying", "--time 0.3 --camera -90,15,1.05", "A spoon, a ring and a letter C in the air: each spins and rings."),
    ("cantilever_tet", "cantilever_tet", "--time 0.3", "A soft beam of tetrahedra, clamped at one end and let go."),
    ("cantilever_hex", "cantilever_hex", "", "The same beam of hexahedra, damped, has come to rest."),
    ("falling_beam", "falling_beam", "--time 0.3", "A beam that is let go and keeps its energy: the energy-momentum method."),
    ("trained_beam", "trained_beam", "--time 0.3", "Twenty trained shapes swing by more than the length of the beam."),
    ("rubber_ring", "rubber_ring", "--time 0.5", "A rubber ring of curved quadratic tetrahedra hangs from a peg and swings."),
    ("shaken_tree", "shaken_tree", "--time 1.1", "A small tree whose ground shakes."),
    ("spinning_block", "spinning_block", "--time 0.2", "A free block that was stretched and thrown with spin."),
    ("swinging_duck", "swinging_duck", "--time 0.3", "A duck filled with voxels swings from the top of its head; the voxels carry the smooth surface."),
    ("twisted_bar", "twisted_bar", "", "A square bar of rubber, twisted by half a turn, in equilibrium."),
    ("two_material_beam", "two_material_beam", "--look stress --scale", "Von Mises stress in a beam whose first half is four times as stiff as the rest."),
    ("rabbit", "rabbit", "--time 0.4", "A soft rabbit in five overlapping domains is pushed forwards and nods."),
    ("soft_cube", "soft_cube", "--time 0.25", "A soft cube falls on a corner and tumbles."),
    ("spiked_board", "spiked_board", "--time 0.5", "A board with spikes is pressed on a soft caterpillar."),
    ("bridge_ball", "bridge_ball", "--time 1.0 --camera -60,25", "A ball is pushed through a soft bridge, at a kilohertz."),
    ("dented_brick", "dented_brick", "--time 1.0", "A finger's dent in a rubber brick: a domain that came while the brick was running."),
    ("cut_hammock", "cut_hammock", "--time 2.4", "A hammock that is cut through while somebody sits in it."),
    ("cut_bar", "cut_bar", "--time 0.6", "A soft bar between two walls, slit by a blade, then cut through."),
    ("crushed_block", "crushed_block", "--time 0.1", "A block that was pressed flat springs back."),
    ("blended_beam", "blended_beam", "--time 0.4", "A cantilever of two materials in three overlapping domains."),
    ("cactus", "cactus", "--time 0.3", "A cactus of four overlapping domains sways to one side, its arms after it."),
    ("balloon", "balloon", "--time 0.02", "A hollow ball, collapsed to a point, is blown up."),
    ("gripper", "gripper", "--time 2.5 --camera -60,14", "Two soft fingers lift a ball by friction alone."),
    ("soft_cylinder", "soft_cylinder", "", "A cylinder that is ten times as stiff at the wall sags in its soft half."),
    ("incline", "incline", "--time 0.6", "Two blocks on a slope: one stays, one slides."),
    ("haptic", "haptic", "--time 0.3", "A fingertip on a soft block, for a haptic device."),
    ("domains", "dragon", "--time 2.05 --camera -40,22 --look domains", "The domains of the animal, each in a colour of its own."),
    ("stress", "twisted_bar", "--look stress --scale", "Von Mises stress in the twisted bar, with a scale bar."),
    ("inside", "twisted_bar", "--look stress --scale --cut y,0.5", "The same bar cut open along its middle at rest: elements with their edges, hardly stressed at the core."),
    ("ghost", "flower", "--time 0.6 --camera -60,18 --ghost full", "The flower of 240 unknowns, and in blue the full model with every vertex on its own."),
    ("beside", "spoon", "--time 0.1 --ghost full --beside", "The 20 shapes of the spoon, and beside it the full model."),
]
MOVING = "render examples/octopus.toml -o octopus.webp --time 4 --fps 12 --size 560x350"  # on top
LOOKS = ("domains", "stress", "inside", "ghost", "beside")


def file_of(name):
    """Where a picture is, from docs/gallery."""
    return f"{name}.png" if name in LOOKS else f"../../examples/pictures/{name}.jpg"


def command(name, scene, options):
    size = "" if name in LOOKS else f" --size {SIZE}"
    return f"pliant render examples/{scene}.toml -o {pathlib.Path(file_of(name)).name}{size}" + (f" {options}" if options else "")


def page():
    lines = ["# Gallery", "",
             "Every example as a picture, and some ways to look at one. All were made by [`pliant render`](../guide/commands.md), with",
             "the command below each; `tools/make_gallery.py build/bin/pliant` makes them all anew.", "",
             "![an octopus in moving water](octopus.webp)", "",
             "```", "pliant " + MOVING, "```", ""]
    for name, scene, options, text in PICTURES:
        if name == LOOKS[0]:
            lines += ["## Other looks", ""]
        title = name.replace("_", " ")
        lines += [f"### {title}", "", f"![{title}]({file_of(name)})", "", f"{text} [Scene](../../examples/{scene}.toml)", "",
                  "```", command(name, scene, options), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def main():
    program, *names = sys.argv[1:] or sys.exit(__doc__)
    for folder in (FOLDER, ROOT / "examples/pictures"):
        folder.mkdir(parents=True, exist_ok=True)
    scenes = {path.stem for path in (ROOT / "examples").glob("*.toml")}
    missing = scenes - {scene for _, scene, _, _ in PICTURES}
    if missing:
        sys.exit(f"examples without a picture: {', '.join(sorted(missing))}")
    for name, scene, options, _ in PICTURES:
        if names and name not in names:
            continue
        out = FOLDER / file_of(name)
        size = [] if name in LOOKS else ["--size", SIZE]
        done = subprocess.run([program, "render", f"examples/{scene}.toml", "-o", str(out.resolve()), "--quiet", *size, *options.split()], cwd=ROOT)
        print(f"{name}: {out.stat().st_size / 1000:.0f} kB" if done.returncode == 0 else f"{name}: FAILED", flush=True)
    if not names or "moving" in names:
        subprocess.run([program, *MOVING.replace("octopus.webp", str(FOLDER / "octopus.webp")).split(), "--quiet"], cwd=ROOT, check=True)
    (FOLDER / "README.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
