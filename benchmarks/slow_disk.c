/* A disk that is slower by SLOWER_US microseconds: loaded before a program, it delays each fsync and fdatasync. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_a_little(void) {
    const char *slower = getenv("SLOWER_US");
    if (slower) usleep((useconds_t)atoi(slower));
}

int fsync(int file) {
    wait_a_little();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    wait_a_little();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
