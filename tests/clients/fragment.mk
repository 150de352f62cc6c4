# SPDX-License-Identifier: BSD-3-Clause
# A client's makefile. It includes FRAGMENT, whose variables begin with X, and uses every one of them.
include $(FRAGMENT)
PARTS = $($(X)_MISC_CPPFLAGS) $($(X)_DEFINES) $($(X)_INCLUDES) $($(X)_OPT_CFLAGS) $($(X)_MISC_CFLAGS)
CXXPARTS = $($(X)_MISC_CXXCPPFLAGS) $($(X)_DEFINES) $($(X)_INCLUDES) $($(X)_OPT_CXXFLAGS) \
  $($(X)_MISC_CXXFLAGS)
WARN = -Wall -Werror -Wno-deprecated-declarations

.PHONY: variables parts parts++
variables:
	@$(foreach v,$(NAMES),$(if $(filter undefined,$(origin $(X)_$v)),echo '$v is not defined',\
	  printf '%s\n' '$v $(strip $($(X)_$v))');) :
$(OUT): $(OUT).o
	$($(X)_LD) $($(X)_LDFLAGS) -o $@ $< $($(X)_LIBS)
$(OUT).o: $(SRC)
	$($(X)_CC) $($(X)_CPPFLAGS) $($(X)_CFLAGS) $(WARN) -c -o $@ $<
$(OUT)++: $(OUT)++.o
	$($(X)_CXX) $($(X)_LDFLAGS) -o $@ $@.o $($(X)_LIBDIRS) $($(X)_LIBS)
$(OUT)++.o: $(SRC)
	$($(X)_CXX) -x c++ $($(X)_CXXCPPFLAGS) $($(X)_CXXFLAGS) $(WARN) -c -o $@ $<
parts:
	$($(X)_CC) $(PARTS) -fsyntax-only $(SRC)
parts++:
	$($(X)_CXX) -x c++ $(CXXPARTS) -fsyntax-only $(SRC)
