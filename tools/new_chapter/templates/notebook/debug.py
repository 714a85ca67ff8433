def %{answer}(numbers):
    """TO WRITE: what it should give."""
    ### BEGIN SOLUTION
    return numbers + numbers
    ### GIVEN
    # return numbers * numbers
    ### END SOLUTION
