"""Runs the programs on standard input and prints the atoms of each one's only model."""

import sys

import clingo


def answer(text):
    control = clingo.Control(["--models=0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    models = []
    with control.solve(yield_=True) as found:
        for model in found:
            models.append(sorted(str(atom) for atom in model.symbols(shown=True)))
    if len(models) != 1:
        return f"{len(models)} models"
    return " ".join(models[0])


def main():
    programs = sys.stdin.buffer.read().decode("utf-8").split("%% next\n")
    for program in programs:
        if program.strip():
            print(answer(program))


main()
