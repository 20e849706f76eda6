"""The application: one pool, one session, one person; without HTTP and without a terminal.

Its files, each importing only from lines below its own:

    exporting, summary                  the labels in files, what was done in words
    opening                             a service for a source
    service                             where a pool, a session and a person meet
    preparation, plan_ahead,            what it works with: the model, the questions that may come
    statistics, adaptive_planning       next, figures, the person's pace
    terms, unused                       what a person asks for; sessions without answers
    settings, names                     what is kept beside the answers, how a question is worded

`_preparing` is the child process that `preparation` starts. Only `askless.web` and `askless.cli`
import from here.
"""
