/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* TEST_SANITIZED: this build has a sanitizer that needs the whole address space and keeps much freed memory.
 * gcc and clang announce it differently. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#endif

#endif
