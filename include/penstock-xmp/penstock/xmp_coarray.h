/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Local view: images, their synchronisation, locks. Chapter, section 5; XcalableMP 1.4, chapter 5. Images are
 * the nodes of the executing node set, or of the set that an image directive names, and count from 0. */
#ifndef PENSTOCK_XMP_COARRAY_H
#define PENSTOCK_XMP_COARRAY_H
#ifdef __cplusplus
extern "C" {
#endif

/* What *status becomes. Without a status an error ends the job. */
#define XMP_STAT_SUCCESS            0
#define XMP_STAT_STOPPED_IMAGE      1 /* an image has come to the end of its program */
#define XMP_STAT_LOCKED             2 /* lock: this image has the lock already */
#define XMP_STAT_UNLOCKED           3 /* unlock: no image has it */
#define XMP_STAT_LOCKED_OTHER_IMAGE 4 /* unlock: another image has it */

/* Each of these first completes what this image has put to others: then images that synchronise with this one
 * see it. status: NULL, or where one of the codes above is stored. */

/* Waits for nobody. */
void xmp_sync_memory(int *status);
/* All images. */
void xmp_sync_all(int *status);
/* Waits until the image has made as many such calls with this image as this image with it. One with itself
 * returns at once. */
void xmp_sync_image(int image, int *status);
/* The same with each image of a set of n; one that the set has twice counts once. n may be 0. */
void xmp_sync_images(int n, int *set, int *status);
/* The same with all images of the set; unlike xmp_sync_all it may meet xmp_sync_image of others. */
void xmp_sync_images_all(int *status);

/* A lock, in a coarray alone, is free at first. `lock` and `unlock` are directives. */
typedef struct {
  unsigned long long pst_xmp_word[1];
} xmp_lock_t;

#ifdef __cplusplus
}
#endif
#endif
