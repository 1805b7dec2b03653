"""Measurements, each a ratio against something bare that is measured in the same run; never a timed test."""
