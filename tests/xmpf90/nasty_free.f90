! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Free form as it is seldom written: words as names, lines that go on anywhere, literals with marks
! of comments.
module nasty_types; implicit none
  type, abstract :: shape; contains; procedure(area_of), deferred :: area; end type
  type, extends(shape) :: square
    real :: side = 1.0, do(2) = [1., 2.]
  contains
    procedure :: area => square_area; generic :: operator(+) => plus; procedure, private :: plus
    final :: gone
  end type square
  abstract interface
    real function area_of(this); import shape
      class(shape), intent(in) :: this
    end function
  end interface
  interface operator(.dist.)
    module procedure distance
  end interface
  enum, bind(c); enumerator :: red = 3, green; enumerator blue; end enum
contains
  real recursive function square_area(this) result(end)
    class(square), intent(in) :: this
    end = this%side**2
  end function
  elemental subroutine gone(this); type(square), intent(inout) :: this; this%side = 0; end subroutine
  function plus(a, b)
    class(square), intent(in) :: a
    type(square), intent(in) :: b; type(square) plus
    plus%side = a%side + b%side; end function
  integer function distance(a, b); integer, intent(in) :: a, b; distance = abs(a - b); end
end module

program nasty
  use nasty_types, only: square, operator(.dist.), green, colour => blue
  implicit none
  integer :: i, j, if, do, end, then, real(3), call, data, goto, format(2), where, function, &
    integer, type, select
  integer, allocatable :: allocate(:); logical :: else, l
  integer, target :: t(4) = (/ 1, 2, 3, 4 /); integer, pointer :: p(:), pointer(:)
  character(len=60) :: c; character :: d*3, read; double precision :: x; complex :: z
  integer :: write, print, open, program, use, stop, return, case, module, contains
  if = 3; do = 1; end = 2; then = 4; real(3) = 5; call = 6; data = 7; goto = 8; format(1) = 9; where = 10
  function = 11; integer = 12; type = 13; select = 14; allocate = [1, 2, 3]; else = .true.; read = '!'
 &
     write = 1; print = 2; open = 3; program = 4; use = 5; stop = 6; return = 7; case = 8; module = 9
  contains = 10
  print *, if, do, end, then, real(3), call, data, goto, format(1), where, function, integer, type, &
    select, else
  print *, write, print, open, program, use, stop, return, case, module, contains, read
  real(1:2) = 0; if (if == 3) if = if + 1; if (else) then = 5
  if (.not. else) then; then = 6; else if (then == 5) then; then = then & ! of comments
    + 1; else; then = 0; end if
  print *, real, if, then; c = 'it''s & a "quote" ! no comment; not a statement' ; print *, c
  c = 'abc&
      &def''&
      &ghi!&
      ! &
      &jkl "' // "x&
   &y''z""" & ! here

! a comment between
  ! &
#   pragma of no meaning
      // 'end'
  print *, c; pri&
  &nt *, 'join'&
  &, 12&
  &34, 5 &
    , 6 ; i&
  &f=&
  &7; print *,if
  outer: do i = 1, 3; inner: do j = 1, 3
      if (j == 2) cycle inner; if (i == 3) exit outer; print *, i, j
    enddo inner; end do outer
  do 10 i = 1, 2
    do 10, j = i, 2
      if (i + j .gt. 3) goto 10
      print 20, i, j, 1.e0, 1.d+0, .5, 2., 3.eq.i
10 continue; 20 format('i =', i2, " j ", i2, 4f6.2, l2)
  do while (i < 6); i = i + 1; end do
  do; exit; end do
  do concurrent (i = 1:3, j = 1:2, i /= j); t(i) = t(i) + 1; end do
  block; integer :: k; integer if; if = 100; do k = 1, 2; if = if + k; end do; print *, if; end block
  associate (a => t(1), b => t); a = a + b(2); print *, a, b(1:4:2); end associate
  select case (if); case (:3); print *, 'low'; case (4, 5:6); print *, &
    'mid'; case default; print *, 'high'; endselect
  where (t > 2) t = t - 1
  where (t > 2); t = 0; elsewhere (t == 1) ; t = 5; else where; t = t*2; end where
  forall (i = 1:4, t(i) > 3) t(i) = -t(i); forall (i = 1:2); t(i) = t(i) + i; end forall
  p => t; p(2:) => t(1:3); pointer => null(); print *, p, lbound(p), associated(pointer), t
  x = 1.0d0; z = (1., -2.e-1); print *, x**2, z, 3 .dist. 7, green, colour, 1.eq.2 .or. .true., [integer ::]
  l = 1==2.or.3/=4.and..not.5<=6.neqv..false.; print *, l, int(z'ff'), int(b"101"), &
    1_'kind' == 'kind', 1_4, 2.5_8
  c(2:3) = 'XY'; c(4:5) = 'Q'; print *, trim(c(1:8)), 'a' // 'b'
  d = s(2) ; print *, d, f(2), f(3); call sub (i, *30, *40); print *, 'no'; 30 print *, 'thirty'; 40 continue
  block
    type(square) :: q = square(2.0), type; type%side = 3; q = q + type; print *, q%area(), q%do(2), q%side
  end block
  open (newunit=open, status='scratch'); write (open, '(a)') 'text; more'; rewind open; read (open, &
    '(a)') c; close (open)
  print '(a)', c; print"(a)",'x';print 50;   50 format (1x,'fifty',/,'fin')
  if (i) 60, 70, 80
60 stop 'sixty'; 70 stop 'seventy'; 80 if (l) print *, 'eighty'
contains
  character(3) function s(n); integer n; s = achar(n + 64) // '&;'; end function s
  recursive integer function f(n) result(r); integer, &
    value :: n; r = 1; if (n > 1) r = n * f(n - 1); endfunction
  subroutine sub(n, *, *); integer :: n; integer, parameter :: k = 1; n = k; return k; end subroutine sub
end program nasty
