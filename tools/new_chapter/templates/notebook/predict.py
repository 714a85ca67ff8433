%{answer} = (
    ### BEGIN SOLUTION
    1.0
    ### END SOLUTION
)
