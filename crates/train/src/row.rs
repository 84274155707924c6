//! Numbers in the portions that the kernels work on: a row of 64, which is four vectors of sixteen.

/// Neurons in a tile: the hidden layer is cut into tiles, and everything about one of them fits the processor's caches.
pub const TILE: usize = 64;
/// Numbers in a vector. Narrower machines take several steps for one.
pub const LANES: usize = 16;
/// Vectors in a row.
pub const VECTORS: usize = TILE / LANES;

/// Sixteen numbers that are treated alike. Nothing is ever fused, so that every machine rounds the same way.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Vector(pub [f32; LANES]);

/// The numbers of one tile: weights from one input, say, or activations of one side.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [Vector; VECTORS]);

impl Vector {
    /// All zero.
    pub const ZERO: Vector = Vector([0.0; LANES]);

    /// The same number everywhere.
    #[inline(always)]
    pub fn splat(number: f32) -> Vector {
        Vector([number; LANES])
    }

    #[inline(always)]
    fn zip(self, other: Vector, operation: impl Fn(f32, f32) -> f32) -> Vector {
        let mut result = Vector::ZERO;
        for lane in 0..LANES {
            result.0[lane] = operation(self.0[lane], other.0[lane]);
        }
        result
    }

    #[inline(always)]
    pub fn add(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    pub fn sub(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    pub fn mul(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    pub fn div(self, other: Vector) -> Vector {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    pub fn sqrt(self) -> Vector {
        self.zip(self, |a, _| a.sqrt())
    }

    /// Cut off below and above; what is no number stays none.
    #[inline(always)]
    pub fn clamp(self, low: f32, high: f32) -> Vector {
        let raised = self.zip(Vector::splat(low), |a, low| if low > a { low } else { a });
        raised.zip(Vector::splat(high), |a, high| if high < a { high } else { a })
    }

    /// This where `other` is below one, and zero elsewhere.
    #[inline(always)]
    pub fn where_below_one(self, other: Vector) -> Vector {
        self.zip(other, |a, b| if b < 1.0 { a } else { 0.0 })
    }

    /// This where `other` is above zero and below one, and zero elsewhere.
    #[inline(always)]
    pub fn where_inside(self, other: Vector) -> Vector {
        self.zip(other, |a, b| if b > 0.0 && b < 1.0 { a } else { 0.0 })
    }

    /// All numbers added up, always in the same order.
    pub fn sum(self) -> f32 {
        let mut numbers = self.0;
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                numbers[lane] += numbers[lane + width];
            }
            width /= 2;
        }
        numbers[0]
    }
}

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([Vector::ZERO; VECTORS]);

    /// The number of a neuron.
    pub fn get(&self, neuron: usize) -> f32 {
        self.0[neuron / LANES].0[neuron % LANES]
    }

    /// The number of a neuron, to be changed.
    pub fn at(&mut self, neuron: usize) -> &mut f32 {
        &mut self.0[neuron / LANES].0[neuron % LANES]
    }
}
