"""Explain common exceptions of Python and PyTorch in a sentence.

The sentence follows the exception's message. It says what went wrong, not what to write.
"""

import re

ADVICE = re.compile(r"\s*Use \.\w+\(\.\.\.\) instead\.?")
MEANINGS = {
    r"'NoneType' object|NoneType": (
        "Something that the code uses is None: a value that is not filled in yet, or a function "
        "that does not return what it computes."
    ),
    r"view size is not compatible": (
        "A view only counts the same numbers in another way, in the order in which they lie in "
        "memory. After axes were exchanged that order is another, and a view cannot follow it."
    ),
    r"shape '.*' is invalid for input of size": (
        "The new shape has room for another number of elements than the tensor has."
    ),
    r"mat1 and mat2 shapes cannot be multiplied|size mismatch, got|matmul: Input operand|"
    r"Expected size for first two dimensions of batch2": (
        "In a matrix product the last axis of the left factor meets the one before the last of the "
        "right factor, and the two must be equally long."
    ),
    r"size of tensor a .* must match the size of tensor b|could not be broadcast together": (
        "Shapes are aligned from the right; two lengths that meet must be equal, or one of them 1."
    ),
    r"expected (m1 and m2|scalar type|both inputs) .*|must have the same dtype|"
    r"Found dtype \w+ but expected \w+": (
        "Two kinds of numbers meet, such as single and double precision, or integers and fractions."
    ),
    r"Expected tensor for argument #1 'indices' to have one of the following scalar types": (
        "An index must be an integer; these are fractions."
    ),
    r"index out of range in self|index \d+ is out of bounds": (
        "An index names a row or column that is not there."
    ),
    r"Boolean value of Tensor with more than one value|truth value of an array": (
        "A condition in `if` or `and` is one truth value; here it is a whole array of them."
    ),
    r"does not require grad and does not have a grad_fn": (
        "The result hangs together with no weight that is trained: somewhere on the way the "
        "computation left PyTorch, or was done without gradients."
    ),
    r"Trying to backward through the graph a second time": (
        "The same computation is gone back through twice; each pass forward is good for one."
    ),
    r"leaf Variable that requires grad is being used in an in-place operation": (
        "A weight that is trained is changed while gradients are recorded."
    ),
    r"Can't call numpy\(\) on Tensor that requires grad": (
        "A tensor whose gradient is recorded cannot become an array as it stands."
    ),
    r"Missing key\(s\) in state_dict|Unexpected key\(s\) in state_dict|size mismatch for": (
        "The weights of the test did not fit into your module: a part has another name or size "
        "than the task gives it, or is not an attribute."
    ),
}


def meaning_of(message: str) -> str:
    """A sentence that explains the message of an exception; empty if there is none."""
    found = (said for pattern, said in MEANINGS.items() if re.search(pattern, message))
    return next(found, "")


def without_advice(message: str) -> str:
    """The message without PyTorch's advice on what to write instead, which may be the answer."""
    return ADVICE.sub("", message)
