"""The app in the browser: one pool, one person, one page.

`app` makes the server out of a `desk`, the place where a pool and its session meet. The page
is in ``static/``; it uses nothing but the routes under ``/api``.
"""
