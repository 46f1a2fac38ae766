"""The estimators most people need: door, scaling, kernel, map and learner chosen by validation."""
