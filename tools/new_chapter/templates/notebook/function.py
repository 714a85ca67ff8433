def %{answer}(numbers):
    """TO WRITE: what it gives.

    Args:
        numbers: TO WRITE: the arguments, with their shapes.

    Returns:
        TO WRITE: the shape.
    """
    ### BEGIN SOLUTION
    return 2 * numbers
    ### END SOLUTION
