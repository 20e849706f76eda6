"""The lab knows the right labels: simulated annotators, runs, traces and metrics.

Nothing that labels a real pool imports from here.
"""
