// The native methods of io.github.sdaberdaku.gluecat.internal.NativeCatalog.
//
// Each copies its arguments, calls one function of abi/gluecat.h and copies the
// answer. A failed call throws NativeCallException with the error's JSON.
#include <jni.h>

#include <cstdint>
#include <limits>
#include <new>
#include <string>

#include "abi/gluecat.h"

namespace {

constexpr char kExceptionClass[] = "io/github/sdaberdaku/gluecat/internal/NativeCallException";

// Frees an answer of the library when it goes out of scope.
class Answer {
 public:
  Answer() = default;
  ~Answer() { gluecat_free(&bytes_); }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  gluecat_bytes* get() { return &bytes_; }

  // A new byte[] with the answer; nullptr with a pending OutOfMemoryError.
  jbyteArray ToJava(JNIEnv* env) const {
    if (bytes_.size > static_cast<std::size_t>(std::numeric_limits<jsize>::max())) {
      if (jclass error = env->FindClass("java/lang/OutOfMemoryError")) {
        env->ThrowNew(error, "the answer of the native library is larger than a Java array");
      }
      return nullptr;
    }
    const auto size = static_cast<jsize>(bytes_.size);
    jbyteArray array = env->NewByteArray(size);
    if (array != nullptr && size > 0) {
      env->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte*>(bytes_.data));
    }
    return array;
  }

  void Throw(JNIEnv* env) const {
    jclass type = env->FindClass(kExceptionClass);
    if (type == nullptr) return;
    jmethodID constructor = env->GetMethodID(type, "<init>", "([B)V");
    if (constructor == nullptr) return;
    jbyteArray json = ToJava(env);
    if (json == nullptr) return;
    if (jobject exception = env->NewObject(type, constructor, json)) {
      env->Throw(static_cast<jthrowable>(exception));
    }
  }

 private:
  gluecat_bytes bytes_ = {nullptr, 0, nullptr};
};

// The bytes of a Java array while the object lives. A null array has none.
class Bytes {
 public:
  Bytes(JNIEnv* env, jbyteArray array) : env_(env), array_(array) {
    if (array_ == nullptr) return;
    size_ = static_cast<std::size_t>(env_->GetArrayLength(array_));
    data_ = env_->GetByteArrayElements(array_, nullptr);
  }
  ~Bytes() {
    if (data_ != nullptr) env_->ReleaseByteArrayElements(array_, data_, JNI_ABORT);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  // False with a pending OutOfMemoryError.
  bool ok() const { return array_ == nullptr || data_ != nullptr; }
  const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(data_); }
  std::size_t size() const { return size_; }

 private:
  JNIEnv* env_;
  jbyteArray array_;
  std::size_t size_ = 0;
  jbyte* data_ = nullptr;
};

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL Java_io_github_sdaberdaku_gluecat_internal_NativeCatalog_abiVersion(
    JNIEnv* /*env*/, jclass /*type*/) {
  return static_cast<jint>(gluecat_abi_version());
}

JNIEXPORT jstring JNICALL
Java_io_github_sdaberdaku_gluecat_internal_NativeCatalog_version(JNIEnv* env, jclass /*type*/) {
  return env->NewStringUTF(gluecat_version());
}

JNIEXPORT jlong JNICALL Java_io_github_sdaberdaku_gluecat_internal_NativeCatalog_open(
    JNIEnv* env, jclass /*type*/, jbyteArray request) {
  const Bytes bytes(env, request);
  if (!bytes.ok()) return 0;
  gluecat_handle handle = 0;
  Answer answer;
  if (gluecat_open(bytes.data(), bytes.size(), &handle, answer.get()) != GLUECAT_OK) {
    answer.Throw(env);
  }
  return static_cast<jlong>(handle);
}

JNIEXPORT jbyteArray JNICALL Java_io_github_sdaberdaku_gluecat_internal_NativeCatalog_call(
    JNIEnv* env, jclass /*type*/, jlong handle, jlong call_id, jstring operation,
    jbyteArray request) {
  const Bytes bytes(env, request);
  if (!bytes.ok()) return nullptr;
  const char* name = operation == nullptr ? nullptr : env->GetStringUTFChars(operation, nullptr);
  if (operation != nullptr && name == nullptr) return nullptr;
  Answer answer;
  const int outcome =
      gluecat_call(static_cast<gluecat_handle>(handle), static_cast<std::uint64_t>(call_id),
                   name == nullptr ? "" : name, bytes.data(), bytes.size(), answer.get());
  if (name != nullptr) env->ReleaseStringUTFChars(operation, name);
  if (outcome != GLUECAT_OK) {
    answer.Throw(env);
    return nullptr;
  }
  return answer.ToJava(env);
}

JNIEXPORT void JNICALL Java_io_github_sdaberdaku_gluecat_internal_NativeCatalog_cancel(
    JNIEnv* /*env*/, jclass /*type*/, jlong handle, jlong call_id) {
  gluecat_cancel(static_cast<gluecat_handle>(handle), static_cast<std::uint64_t>(call_id));
}

JNIEXPORT void JNICALL Java_io_github_sdaberdaku_gluecat_internal_NativeCatalog_close(
    JNIEnv* /*env*/, jclass /*type*/, jlong handle) {
  gluecat_close(static_cast<gluecat_handle>(handle));
}

}  // extern "C"
