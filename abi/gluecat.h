/*
 * gluecat: the C interface.
 *
 * One catalog is one handle. A call takes an operation name and request bytes
 * and gives answer bytes; docs/waist.md says what they hold. Any function may be
 * called from any thread, also at the same time and for the same handle. Nothing
 * is thrown, no signal handler or exit handler is installed, and no thread of
 * the library outlives the call it serves, with one exception: when a call gives
 * up while the system still looks up a host name, the thread of that look-up ends
 * with the look-up. It touches nothing but its own memory.
 */
#ifndef GLUECAT_ABI_GLUECAT_H_
#define GLUECAT_ABI_GLUECAT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GLUECAT_API __attribute__((visibility("default")))

/* Changes whenever a caller of the old interface would misread the new one. */
#define GLUECAT_ABI_VERSION 1

/* What a call ended as. */
#define GLUECAT_OK 0
#define GLUECAT_ERROR 1 /* the answer holds an error object, see docs/waist.md */

/* A handle is a slot and a generation, never a pointer: using one that is
 * closed, or was never open, is an error of kind invalid_argument. 0 is none. */
typedef uint64_t gluecat_handle;

/* Bytes owned by the library until gluecat_free; `owner` is the library's. */
typedef struct gluecat_bytes {
  const uint8_t* data;
  size_t size;
  void* owner;
} gluecat_bytes;

/* GLUECAT_ABI_VERSION of the loaded library. */
GLUECAT_API uint32_t gluecat_abi_version(void);

/* The library's version, for example "0.1.0"; lives as long as the library. */
GLUECAT_API const char* gluecat_version(void);

/*
 * Opens a catalog from a JSON object (`request`, `size` bytes). Makes no network
 * call. On GLUECAT_OK `*handle` is set and `*answer` is empty; otherwise
 * `*handle` is 0 and `*answer` holds the error.
 */
GLUECAT_API int gluecat_open(const uint8_t* request, size_t size, gluecat_handle* handle,
                             gluecat_bytes* answer);

/*
 * Runs `operation` (NUL-terminated) and blocks until it ends. `call_id` names
 * the call for gluecat_cancel and must not be in use by another running call of
 * the same handle; 0 makes it uncancellable. `*answer` is always set; the caller
 * frees it with gluecat_free.
 */
GLUECAT_API int gluecat_call(gluecat_handle handle, uint64_t call_id, const char* operation,
                             const uint8_t* request, size_t size, gluecat_bytes* answer);

/* Asks the running call `call_id` to stop: it soon ends with kind cancelled.
 * Without such a call, nothing happens. */
GLUECAT_API void gluecat_cancel(gluecat_handle handle, uint64_t call_id);

/* Closes a handle. Running calls end as they would have; new ones fail. */
GLUECAT_API void gluecat_close(gluecat_handle handle);

/* Frees an answer and clears it. An empty one is fine. */
GLUECAT_API void gluecat_free(gluecat_bytes* bytes);

#ifdef __cplusplus
}
#endif

#endif /* GLUECAT_ABI_GLUECAT_H_ */
