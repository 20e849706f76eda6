/* Stands between processes and their disk: writes down what they do to the files below one
 * folder, and makes calls fail when told to. Loaded with LD_PRELOAD; see shim.py.
 *
 * SHIM_FOLDER   the folder, an absolute path
 * SHIM_LOG      where to write; one record an operation, written at one stroke, so that several
 *               processes can share it:
 *               op (1 byte), file (8 bytes, inode), at (8), length (8), then `length` bytes
 *
 * ops  C file made: the bytes are its name     M folder made: its name
 *      W written: bytes at an offset           T cut or extended to `at` bytes
 *      S synced                                F a sync that failed
 *      D folder synced: its name               U unlinked: the bytes are the name
 *      R renamed: old name, NUL, new name
 * Names are paths below the folder; it is itself the empty name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_open)(const char *, int, ...);
static const char *folder;
static size_t folder_length;
static int log_fd = -1;

/* What to do next: let `wait` calls of a kind pass, then fail `times` of them. */
static struct fault { int error, wait, times, half; } write_fault, sync_fault, name_fault;

void shim_fail_writes(int error, int wait, int times, int half) {
    write_fault = (struct fault){error, wait, times, half};
}

void shim_fail_syncs(int error, int wait, int times) {
    sync_fault = (struct fault){error, wait, times, 0};
}

/* Files that are made, renamed, and folders that are made. */
void shim_fail_names(int error, int wait, int times) {
    name_fault = (struct fault){error, wait, times, 0};
}

static int fails(struct fault *fault) {
    if (!fault->times || fault->wait-- > 0) return 0;
    fault->times--, fault->wait = 0;
    errno = fault->error;
    return 1;
}

__attribute__((constructor)) static void start(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_open = dlsym(RTLD_NEXT, "open");
    folder = getenv("SHIM_FOLDER");
    if (!folder) return;
    folder_length = strlen(folder);
    if (getenv("SHIM_LOG"))
        log_fd = real_open(getenv("SHIM_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(char op, uint64_t file, uint64_t at, const void *bytes, uint64_t length) {
    int saved = errno;
    struct iovec parts[] = {
        {&op, 1}, {&file, 8}, {&at, 8}, {&length, 8}, {(void *)bytes, (size_t)length}};
    if (log_fd >= 0 && writev(log_fd, parts, 5) != (ssize_t)(25 + length)) abort();
    errno = saved;
}

static void note_name(char op, uint64_t file, const char *name) {
    note(op, file, 0, name, strlen(name));
}

/* The part of a path below the folder, or NULL. */
static const char *name_of(const char *path) {
    if (!folder || strncmp(path, folder, folder_length)) return NULL;
    if (!path[folder_length]) return path + folder_length;
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

/* What is open there: the name goes to `name`; the inode, or 0 if it is elsewhere. */
static ino_t watched(int fd, int type, char name[PATH_MAX]) {
    char link[64], path[PATH_MAX];
    struct stat found;
    int saved = errno;
    ino_t inode = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (folder && !fstat(fd, &found) && (int)(found.st_mode & S_IFMT) == type) {
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
        const char *below = name_of(path);
        if (below) {
            inode = found.st_ino;
            if (name) strcpy(name, below);
        }
    }
    errno = saved;
    return inode;
}

static int opened(const char *path, int flags, mode_t mode) {
    const char *name = name_of(path);
    int was_there = name && access(path, F_OK) == 0;
    if (name && !was_there && (flags & O_CREAT) && fails(&name_fault)) return -1;
    int fd = real_open(path, flags, mode);
    struct stat found;
    if (!name || fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode)) return fd;
    if (!was_there) note_name('C', found.st_ino, name);
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
    if (write_fault.half && length > 1 && write_fault.wait <= 0) {
        write_fault.half = 0, write_fault.wait = 0;
        return (ssize_t)(length / 2);
    }
    return fails(&write_fault) ? -1 : (ssize_t)length;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    ino_t file = watched(fd, S_IFREG, NULL);
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
        ino_t file = watched(fd, S_IFREG, NULL); \
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
        ino_t file = watched(fd, S_IFREG, NULL); \
        int failed = real(fd, length); \
        if (file && !failed) note('T', file, (uint64_t)length, NULL, 0); \
        return failed; \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

static int synced(int fd, int (*real)(int)) {
    char name[PATH_MAX];
    ino_t file = watched(fd, S_IFREG, NULL), of_folder = watched(fd, S_IFDIR, name);
    if ((file || of_folder) && fails(&sync_fault)) {
        int error = errno;
        if (file) note('F', file, 0, NULL, 0);
        errno = error;
        return -1;
    }
    int failed = real(fd);
    if (!failed && of_folder) note_name('D', 0, name);
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
    if (!failed && name) note_name('U', 0, name);
    return failed;
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    const char *name = name_of(path);
    if (name && access(path, F_OK) && fails(&name_fault)) return -1;
    int failed = real(path, mode);
    if (!failed && name) note_name('M', 0, name);
    return failed;
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    const char *old = name_of(from), *new = name_of(to);
    if (old && new && fails(&name_fault)) return -1;
    if (old && new && !access(from, F_OK)) {
        /* Before it is done: whoever is killed in between has not yet told anybody. */
        char both[2 * PATH_MAX];
        size_t length = strlen(old) + 1;
        memcpy(both, old, length);
        memcpy(both + length, new, strlen(new));
        note('R', 0, 0, both, length + strlen(new));
    }
    return real(from, to);
}
