"""Fitting a model: batches, losses, optimizers, schedules, the loop, checkpoints."""
