/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global objects of C++: what constructors did before start_pes stays; static members, templates' statics,
 * inline variables and function statics are symmetric; exceptions and streams work. */
#include "common.h"

#include <complex>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Made {
  std::string name;
  std::vector<int> numbers;
  long word;
  Made() : name("a name that is too long to lie in the string itself"), numbers{1, 2, 3}, word(77) {}
  virtual ~Made() {}
  virtual int number() const { return numbers[2]; }
};
Made made;

template <class T> struct Holder {
  static T value;
  static T &local()
  {
    static T v = T(3);
    return v;
  }
};
template <class T> T Holder<T>::value = T(2);

struct WithMember {
  static inline long member = 21;
};

inline long &in_function()
{
  static long v = made.word + 1; // initialised at run time
  return v;
}

int next_pe() { return (test.me + 1) % test.pes; }
int previous_pe() { return (test.me + test.pes - 1) % test.pes; }

void exchange(long &variable, const char *what)
{
  variable = test.me;
  shmem_barrier_all();
  shmem_long_p(&variable, 100 + test.me, next_pe());
  shmem_barrier_all();
  CHECK(variable == 100 + previous_pe(), "%s: %ld", what, variable);
  CHECK(shmem_long_g(&variable, next_pe()) == 100 + test.me, "%s: g", what);
  shmem_barrier_all();
}

void exceptions()
{
  bool caught = false;
  try {
    throw std::runtime_error("thrown");
  } catch (const std::exception &e) {
    caught = e.what() == std::string("thrown");
  }
  CHECK(caught, "an exception was not caught");
}

} // namespace

int main(int argc, char **argv)
{
  test_start("cxx", &argc, &argv);
  CHECK(made.word == 77 && made.numbers.size() == 3 && made.name.size() > 40 && made.number() == 3,
      "a global object is not as it was made");
  CHECK(Holder<long>::value == 2 && Holder<long>::local() == 3 && WithMember::member == 21 &&
          in_function() == 78,
      "initial values");
  exchange(made.word, "member of a global object");
  exchange(Holder<long>::value, "static member of a template");
  exchange(Holder<long>::local(), "static of a template's function");
  exchange(WithMember::member, "inline static member");
  exchange(in_function(), "static of an inline function");
  Holder<int>::value = 4;
  shmem_barrier_all();
  CHECK(shmem_int_fadd(&Holder<int>::value, 1, next_pe()) == 4, "fadd");
  CHECK(shmem_addr_accessible(&made, next_pe()) == 1, "a global object is not accessible");
  std::ostringstream out;
  out << made.name << std::complex<double>(1, 2);
  CHECK(out.str().size() > 40, "streams");
  exceptions();
  shmem_barrier_all();
  return test_finish();
}
