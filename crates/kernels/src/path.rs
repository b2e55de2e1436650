//! Which kernels compute: the plain ones, or those in vector instructions. Both give the same bits.

/// Which kernels run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// Plain arithmetic.
    Scalar,
    /// The machine's vector instructions; only where [`crate::simd::available`].
    Vector,
}
