# `make` compiles both sides, `make reproduce` runs them. `make CC=clang reproduce` does so by clang.

ifeq ($(origin CC),default)
CC := gcc
endif
IS_CLANG := $(findstring clang,$(shell $(CC) --version))
ifeq ($(origin CXX),default)
CXX := $(if $(IS_CLANG),$(subst clang,clang++,$(CC)),$(subst gcc,g++,$(CC)))
endif

BUILD := build-$(notdir $(lastword $(CC)))
SANITIZERS := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
ifneq ($(IS_CLANG),)
SANITIZERS += -fno-sanitize=function -fsanitize-address-use-after-return=always
else
SANITIZERS += --param=asan-use-after-return=1
endif
# A unit may be a program; ours has `main`.
FLAGS := -Dmain=main_of_the_unit -g -O0 -w -fno-pie -fno-omit-frame-pointer -fno-stack-protector -ffp-contract=off \
	-ftrivial-auto-var-init=pattern -U_FORTIFY_SOURCE $(SANITIZERS) $(LANGUAGE_FLAGS)
SIDES := vulnerable patched

.PHONY: all reproduce clean

all: $(addprefix $(BUILD)/,$(SIDES))

define side
$(BUILD)/$(1): $(1)-call.$(ENDING) $(1).$(ENDING) $($(1)_INPUT) Makefile
	@mkdir -p $(BUILD)
	$(CC) -g -O0 -w -fno-pie -c $($(1)_INPUT) -o $(BUILD)/$(1)-input.o
	$(COMPILER) $(FLAGS) $($(1)_FLAGS) -c $(1)-call.$(ENDING) -o $(BUILD)/$(1)-call.o
	$(COMPILER) -no-pie $(SANITIZERS) $(BUILD)/$(1)-call.o $(BUILD)/$(1)-input.o -lm -o $$@
endef
$(foreach each,$(SIDES),$(eval $(call side,$(each))))

reproduce: all
	@sh reproduce.sh $(BUILD)

clean:
	rm -rf build-*
