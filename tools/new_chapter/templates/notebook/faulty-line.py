faulty_line = (
    ### BEGIN SOLUTION
    2
    ### END SOLUTION
)
