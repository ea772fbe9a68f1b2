"""Puts existing things into the paths of the requests that schemathesis makes up."""

import json
import os

import schemathesis
from schemathesis.core.parameters import ParameterLocation

with open(os.environ["TOCSIN_THINGS"], encoding="utf-8") as file:
    THINGS = json.load(file)


def parameters_of(path, method):
    """Those of the longest beginning of the path. What is deleted is a thing that nothing else asks for."""
    things = THINGS["deleted" if method == "DELETE" else "kept"]
    beginnings = [beginning for beginning in things if path == beginning or path.startswith(beginning + "/")]
    return things[max(beginnings, key=len)] if beginnings else {}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Half of the requests with a path that is in order get one that exists; the rest asks for what does not."""
    meta = case.meta
    if not case.path_parameters or meta is None or meta.is_negative_at(ParameterLocation.PATH):
        return
    if meta.phase.name.name == "STATEFUL" or len(json.dumps(case.path_parameters)) % 2 == 1:
        return
    known = parameters_of(case.operation.path, case.method.upper())
    case.path_parameters = {name: known.get(name, value) for name, value in case.path_parameters.items()}
