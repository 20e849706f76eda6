"""The application over HTTP, and the page.

Its files, each importing only from lines below its own:

    server                     runs it
    app                        the routes, the page and the guard, put together
    routes                     HTTP to Python and back
    gallery                    every item with its label, filtered and sorted
    browsing                   looking through labels
    views                      what the application knows, in the form the page gets it
    guard, redirect_file,      who may come in, the way in, the pictures, what is taken in
    pictures, requests
    behind, headers, health    the address behind a proxy; what replies carry; alive and ready
    problems, replies          errors, and what is sent out

The page is in ``static/``; it uses nothing but the routes under ``/api``. Only
`askless.cli.serving` imports from here.
"""
