"""The built-in adapters, and what an adapter is.

An adapter is one Python file that drives one runtime. It runs in the runtime's own Python, perhaps
an old one, so it imports the standard library, NumPy and the runtime, nothing of this package and
no sibling. The file holds a class ``Adapter``::

    class Adapter:
        version: str                       # of the runtime

        def __init__(self, variant): ...   # None, or what follows the colon in NAME:VARIANT
        def load(self, model, folder): ... # returns whatever run needs
        def run(self, loaded, inputs): ... # returns a list of (code, shape, bytes)

``load`` gets the bytes of the model. ``folder`` is None, or, for a model with external data, the
path of a folder that holds the model as ``model.onnx`` and its data beside it; the folder is a
copy and ends with the case. ``run`` gets a list of ``(name, code, shape, bytes)``, one for each
graph input in order, and returns one ``(code, shape, bytes)`` for each graph output in order: the
number of the element type in ``onnx.TensorProto.DataType``, the shape, and the elements as
``raw_data`` has them, little-endian and packed.

What an adapter declares is optional: attributes of the class or of its instance, with data that
JSON can carry::

    documentation = "https://..."          # where the runtime and its installation are described
    feeds = {
        "inputs": [1, 2, 3],               # element types that graph inputs may have; absent: all
        "initializers": [16, 17],          # further types, which initializers alone may have
        "constant_parameters": True,       # every input of a node but its first is an initializer
    }
    refusals = [{"kind": "unsupported", "stage": "check", "pattern": "not implemented"}]

By ``feeds`` the harness chooses how to present a case: graph inputs that the runtime cannot be fed
become initializers of a copy of the model, ``run`` gets the others, and a case with an input whose
type is in neither list is ``not_runnable`` and never handed out. ``refusals`` are rules for the
messages of the runtime, and the first that fits counts: ``pattern`` is a regular expression that is
searched for in the message, and in ``<class of the exception>: <message>``; ``kind`` is a word for
what such a message says: ``unsupported`` where it says so clearly, ``obscure`` where a user could
not make sense of it; ``stage`` is the stage that such a message tells of (``parse``, ``check``,
``load``, ``run``), where the method that raised it does not say it. A refusal that no rule fits has
no kind: the harness does not guess.

An exception says that the backend refuses the model, at the stage ``load`` or ``run`` by the
method that raised it, or at another that the exception names in an attribute ``stage``. An
exception of a class named ``NotRunnable``, which the adapter defines itself, says that the backend
cannot be fed or read in these types; one named ``Crashed`` that the runtime died in a process that
the adapter started, with its last lines on standard error in an attribute ``stderr``; one named
``Broken`` that the adapter failed, not the backend. An exception from ``__init__`` or at import
says that the backend cannot be started; its message is what the user sees.

A file in this folder is a backend by its name, with dashes for underscores. Other distributions
register theirs in the entry point group ``onnx_cts.adapters``.
"""
