/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* program SEED DIRECTORY: writes a random program to random.f90 there, whose first line has the number of its
 * images, and to `printed` what it prints, in any order.
 * program SEED DIRECTORY check: one that prints all variables after each statement. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static int checks;

static void procedures_write(void)
{
  static const char *const procedures[] = {"integer function shifted(k)", "  integer, intent(in) :: k",
      "  shifted = 1 + modulo(me - 1 + k, n)", "end function", "integer(8) function added(h, x)",
      "  integer(8), intent(in) :: h, x", "  added = modulo(h * 31 + x, 1000003_8)", "end function",
      "subroutine tell(name, x, y)", "  character(*), intent(in) :: name", "  integer(8), intent(in) :: x(:)",
      "  integer(8), intent(in), optional :: y(:)", "  integer(8) :: h", "  integer :: k", "  h = 7",
      "  do k = 1, size(x)", "    h = added(h, x(k))", "    if (present(y)) h = added(h, y(k))", "  end do",
      "  write (*, '(a, 1x, i0, 1x, i0)') name, me0, h", "end subroutine", "subroutine tell_text(name, x)",
      "  character(*), intent(in) :: name, x(:)", "  integer :: k, j",
      "  call tell(name, [((int(iachar(x(k)(j:j)), 8), j = 1, len(x)), k = 1, size(x))])", "end subroutine",
      "pure integer function larger_integer(a, b)", "  integer, intent(in) :: a, b",
      "  larger_integer = max(abs(a), abs(b))", "end function", "pure real(8) function larger_real(a, b)",
      "  real(8), intent(in) :: a, b", "  larger_real = max(abs(a), abs(b))", "end function"};
  for (size_t i = 0; i < sizeof procedures / sizeof *procedures; i++) line("%s", procedures[i]);
}

static void module_write(void)
{
  line("module things");
  indent(1);
  line("use, intrinsic :: iso_fortran_env, only: event_type, lock_type, team_type");
  line("implicit none");
  types_declare();
  objects_declare();
  control_declare();
  variables_declare();
  for (int i = 0; i < variables; i++)
    if (variable[i].declaration) line("%s", variable[i].declaration);
  line("integer :: me0, me, n, i, k, stat, same(-20:20) = [(i, i = -20, 20)]");
  indent(-1);
  line("contains");
  indent(1);
  procedures_write();
  indent(-1);
  line("end module");
}

static void print_all(void)
{
  for (int i = 0; i < variables; i++)
    if (variable[i].exists) variable_print(&variable[i]);
  control_print();
}

static void begin_write(void)
{
  line("me0 = this_image()");
  line("me = me0");
  line("n = num_images()");
  for (int i = 0; i < variables; i++)
    if (variable[i].is_allocatable && chance(75)) variable_allocate(&variable[i]);
  objects_begin();
  for (int i = 0; i < variables; i++)
    if (variable[i].exists) variable_fill(&variable[i]);
  control_begin();
  line("sync all");
  phase_end();
}

static void statement_draw(void)
{
  const int kind = draw(100);
  if (kind < 50) assignment_draw();
  else if (kind < 62) object_draw();
  else if (kind < 80) sync_draw();
  else if (kind < 88) collective_draw();
  else if (kind < 92) atomic_draw();
  else if (kind < 95) lock_draw();
  else allocation_draw();
  if (!checks || context.in_team) return;
  line("sync all");
  line("write (*, '(a)') '--'");
  print_all();
  line("sync all");
  phase_end();
}

static void team_draw(void)
{
  team_begin(draw_from(1, 3));
  for (int i = draw_from(3, 10); i > 0; i--) statement_draw();
  team_end();
}

int main(int argc, char **argv)
{
  if (argc < 3) {
    fprintf(stderr, "usage: program SEED DIRECTORY [check]\n");
    return 2;
  }
  checks = argc > 3;
  draw_begin(strtoul(argv[1], NULL, 10));
  files_open(argv[2]);
  images_begin(draw_from(1, IMAGES));
  line("! images: %d, seed %s", context.images, argv[1]);
  module_write();
  line("program random");
  indent(1);
  line("use things");
  line("implicit none");
  begin_write();
  for (int i = draw_from(20, 50); i > 0; i--)
    if (chance(7)) team_draw();
    else statement_draw();
  line("sync all");
  print_all();
  indent(-1);
  line("end program");
  return 0;
}
