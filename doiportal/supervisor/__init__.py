"""`make run`: the whole portal in one terminal. It starts web, worker and beat, and the sample proxy when it is needed;
it ends all of them with Ctrl-C, or when one of them dies, or when it is killed itself."""
