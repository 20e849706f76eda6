"""The app in the browser: one pool, one person, one page.

Its files, each importing only from lines below its own:

    server, forgetting                runs it; erases what it keeps
    app                               the routes, the page and the guard, put together
    routes                            HTTP to Python and back
    browsing, finishing               looking through labels, taking them home
    shown                             a desk's things as the page gets them
    opening                           a desk for a source
    desk                              where a pool, a session and a person meet
    starting, preparation, ahead,     what a desk works with: the session, the model, what comes
    readings, tempo, tickets          next, figures, the person's pace, proofs of what was asked
    guard, doorway, pictures, bodies  who may come in, the way in, what is sent out and taken in
    notebook, problems, schemas,      what is kept beside the answers, errors, replies, and how
    words                             a question is worded

`_preparing` is the child process that `preparation` starts. The page is in ``static/``; it uses
nothing but the routes under ``/api``. Only `askless.cli` imports from here.
"""
