/* Stands between a process and its disk: writes down what the process does to the files of one
 * folder, and makes calls fail when told to. Loaded with LD_PRELOAD; see shim.py.
 *
 * SHIM_FOLDER   the folder, an absolute path
 * SHIM_LOG      where to write; one record an operation:
 *               op (1 byte), file (8 bytes, inode), at (8), length (8), then `length` bytes
 *
 * ops  C file made, or emptied if it was there: the bytes are its name
 *      W written: bytes at an offset       T cut or extended to `at` bytes
 *      S synced                            F a sync that failed
 *      D folder synced                     U unlinked: the bytes are the name
 *      R renamed: old name, NUL, new name
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_open)(const char *, int, ...);
static const char *folder;
static size_t folder_length;
static dev_t device;
static ino_t folder_inode, inodes[4096];
static int n_inodes, log_fd = -1;

/* What to do next: let `wait` calls of a kind pass, then fail `times` of them. */
static struct { int error, wait, times, half; } write_fault, sync_fault;

void shim_fail_writes(int error, int wait, int times, int half) {
    write_fault.error = error, write_fault.wait = wait;
    write_fault.times = times, write_fault.half = half;
}

void shim_fail_syncs(int error, int wait, int times) {
    sync_fault.error = error, sync_fault.wait = wait, sync_fault.times = times;
}

int shim_writes_left(void) { return write_fault.wait; }

__attribute__((constructor)) static void start(void) {
    struct stat found;
    real_write = dlsym(RTLD_NEXT, "write");
    real_open = dlsym(RTLD_NEXT, "open");
    folder = getenv("SHIM_FOLDER");
    if (!folder || stat(folder, &found)) return;
    folder_length = strlen(folder);
    device = found.st_dev, folder_inode = found.st_ino;
    if (getenv("SHIM_LOG"))
        log_fd = real_open(getenv("SHIM_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t length) {
    while (length) {
        ssize_t done = real_write(log_fd, bytes, length);
        if (done <= 0) abort();
        bytes = (const char *)bytes + done, length -= (size_t)done;
    }
}

static void note(char op, uint64_t file, uint64_t at, const void *bytes, uint64_t length) {
    int saved = errno;
    if (log_fd >= 0) {
        put(&op, 1), put(&file, 8), put(&at, 8), put(&length, 8);
        if (length) put(bytes, length);
    }
    errno = saved;
}

/* The part of a path below the folder, or NULL. */
static const char *name_of(const char *path) {
    if (!folder || strncmp(path, folder, folder_length) || path[folder_length] != '/') return NULL;
    path += folder_length + 1;
    return strchr(path, '/') ? NULL : path;
}

/* The inode of a file of the folder, or 0. */
static ino_t watched(int fd) {
    struct stat found;
    int saved = errno, failed = fstat(fd, &found);
    errno = saved;
    if (failed || !folder || found.st_dev != device || !S_ISREG(found.st_mode)) return 0;
    for (int i = 0; i < n_inodes; i++)
        if (inodes[i] == found.st_ino) return found.st_ino;
    return 0;
}

static int opened(const char *path, int flags, mode_t mode) {
    const char *name = name_of(path);
    int was_there = name && access(path, F_OK) == 0;
    int fd = real_open(path, flags, mode);
    struct stat found;
    if (!name || fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode)) return fd;
    if (!watched(fd) && n_inodes < 4096) inodes[n_inodes++] = found.st_ino;
    if (!was_there) note('C', found.st_ino, 0, name, strlen(name));
    else if (flags & O_TRUNC) note('T', found.st_ino, 0, NULL, 0);
    return fd;
}

#define OPEN(function) \
    int function(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return opened(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(function) \
    int function(int at, const char *path, int flags, ...) { \
        REAL(int, "openat", int, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return at == AT_FDCWD ? opened(path, flags, mode) : real(at, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

/* How much of a write may happen: all of it, half of it, or nothing (-1, with errno). */
static ssize_t allowed(ino_t file, size_t length) {
    if (!file || !write_fault.times) return (ssize_t)length;
    if (write_fault.wait-- > 0) return (ssize_t)length;
    if (write_fault.half && length > 1) {
        write_fault.half = 0, write_fault.wait = 0;
        return (ssize_t)(length / 2);
    }
    write_fault.times--, write_fault.wait = 0;
    errno = write_fault.error;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    ino_t file = watched(fd);
    ssize_t some = allowed(file, length);
    if (some < 0) return -1;
    off_t at = 0;
    if (file) at = lseek(fd, 0, (fcntl(fd, F_GETFL) & O_APPEND) ? SEEK_END : SEEK_CUR);
    ssize_t done = real_write(fd, bytes, (size_t)some);
    if (file && done > 0) note('W', file, (uint64_t)at, bytes, (uint64_t)done);
    return done;
}

#define PWRITE(function) \
    ssize_t function(int fd, const void *bytes, size_t length, off_t at) { \
        REAL(ssize_t, "pwrite", int, const void *, size_t, off_t); \
        ino_t file = watched(fd); \
        ssize_t some = allowed(file, length); \
        if (some < 0) return -1; \
        ssize_t done = real(fd, bytes, (size_t)some, at); \
        if (file && done > 0) note('W', file, (uint64_t)at, bytes, (uint64_t)done); \
        return done; \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define FTRUNCATE(function) \
    int function(int fd, off_t length) { \
        REAL(int, "ftruncate", int, off_t); \
        ino_t file = watched(fd); \
        int failed = real(fd, length); \
        if (file && !failed) note('T', file, (uint64_t)length, NULL, 0); \
        return failed; \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

static int synced(int fd, int (*real)(int)) {
    struct stat found;
    ino_t file = watched(fd);
    int is_folder = folder && !fstat(fd, &found) && found.st_ino == folder_inode
        && found.st_dev == device;
    if ((file || is_folder) && sync_fault.times && sync_fault.wait-- <= 0) {
        sync_fault.times--, sync_fault.wait = 0;
        if (file) note('F', file, 0, NULL, 0);
        errno = sync_fault.error;
        return -1;
    }
    int failed = real(fd);
    if (!failed && is_folder) note('D', 0, 0, NULL, 0);
    else if (!failed && file) note('S', file, 0, NULL, 0);
    return failed;
}

int fsync(int fd) {
    REAL(int, "fsync", int);
    return synced(fd, real);
}

int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return synced(fd, real);
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    int failed = real(path);
    const char *name = name_of(path);
    if (!failed && name) note('U', 0, 0, name, strlen(name));
    return failed;
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    int failed = real(from, to);
    const char *old = name_of(from), *new = name_of(to);
    if (!failed && old && new) {
        char both[8192];
        size_t length = strlen(old) + 1;
        memcpy(both, old, length);
        memcpy(both + length, new, strlen(new));
        note('R', 0, 0, both, length + strlen(new));
    }
    return failed;
}
