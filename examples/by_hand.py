"""Plan questions and answer them by hand: eight mails, is each of them spam?

Run it with ``python examples/by_hand.py`` and answer y or n.
"""

import numpy as np

from askless import Probs, State, learn, make_planner

# P(it is spam), from whatever predictor you have
probs = Probs(np.array([0.02, 0.97, 0.10, 0.04, 0.60, 0.99, 0.03, 0.08]))
planner = make_planner("auto", max_n=4)
state = State.blank(len(probs))

while question := planner.plan(probs, state):
    for item, guess in zip(question.items, question.guess, strict=True):
        print(f"mail {item} is {'spam' if guess else 'no spam'}")
    right = input("All of these right? [y/n] ").startswith("y")
    state = learn(state, question.yes() if right else question.no())

print(f"labels: {state.labels()}")
