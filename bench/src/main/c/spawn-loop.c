/*
 * spawn-loop ROUNDS PROGRAM [ARGUMENT...]: starts PROGRAM and waits for its exit, ROUNDS times, one after the other.
 * Prints the median of one round in nanoseconds and the rounds per second.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int by_size(const void *left, const void *right)
{
    long long a = *(const long long *)left;
    long long b = *(const long long *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments)
{
    int rounds = count > 2 ? atoi(arguments[1]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: spawn-loop ROUNDS PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    long long *taken = calloc((size_t)rounds, sizeof *taken);
    if (taken == NULL) {
        return 1;
    }
    long long begin = now();
    for (int i = 0; i < rounds; i++) {
        long long start = now();
        pid_t child;
        siginfo_t end;
        int failed = posix_spawn(&child, arguments[2], NULL, NULL, arguments + 2, environ);
        if (failed) {
            fprintf(stderr, "spawn-loop: %s: %s\n", arguments[2], strerror(failed));
            return 1;
        }
        while (waitid(P_PID, (id_t)child, &end, WEXITED) < 0) {
            if (errno != EINTR) {
                perror("spawn-loop: waitid");
                return 1;
            }
        }
        taken[i] = now() - start;
    }
    long long whole = now() - begin;
    qsort(taken, (size_t)rounds, sizeof *taken, by_size);
    printf("%lld %.1f\n", taken[rounds / 2], rounds * 1e9 / (double)whole);
    return 0;
}
