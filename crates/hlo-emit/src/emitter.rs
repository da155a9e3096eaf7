//! A thin layer over melior's builder: ops by name, with types and attributes as text.

use melior::Context;
use melior::ir::operation::OperationBuilder;
use melior::ir::{
    Attribute, Block, BlockLike, Identifier, Location, Operation, Region, RegionLike, Type, Value,
    ValueLike,
};

use crate::Error;

/// Appends ops to one block.
pub(crate) struct Emitter<'c, 'a> {
    pub(crate) context: &'c Context,
    pub(crate) block: &'a Block<'c>,
}

/// An op to append: a name, operands, attributes as `(name, text)`, result types as text.
pub(crate) struct NewOp<'c, 'a, 'n> {
    pub(crate) name: &'n str,
    pub(crate) operands: &'n [Value<'c, 'a>],
    pub(crate) attributes: &'n [(&'n str, String)],
    pub(crate) results: &'n [String],
    pub(crate) regions: Vec<Region<'c>>,
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// Appends an op with one result.
    pub(crate) fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, String)],
        result: &str,
    ) -> Result<Value<'c, 'a>, Error> {
        self.with_region(name, operands, attributes, result, Vec::new())
    }

    /// Appends an op with one result and regions.
    pub(crate) fn with_region(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, String)],
        result: &str,
        regions: Vec<Region<'c>>,
    ) -> Result<Value<'c, 'a>, Error> {
        let results = [result.to_owned()];
        let op =
            build(self.context, NewOp { name, operands, attributes, results: &results, regions })?;
        let op = self.block.append_operation(op);
        let result = op.result(0).map_err(|error| refused(name, &error.to_string()))?;
        // SAFETY: the result belongs to an op of `self.block`, which outlives 'a.
        Ok(unsafe { Value::from_raw(result.to_raw()) })
    }

    /// A region of one block over scalars: `body` gives the value that `terminator` returns.
    pub(crate) fn scalar_region(
        &self,
        arguments: &[&str],
        terminator: &str,
        body: impl for<'b> FnOnce(&Emitter<'c, 'b>, &[Value<'c, 'b>]) -> Result<Value<'c, 'b>, Error>,
    ) -> Result<Region<'c>, Error> {
        let location = Location::unknown(self.context);
        let types = arguments.iter().map(|text| ty(self.context, text));
        let types: Vec<_> = types.collect::<Result<_, _>>()?;
        let block = Block::new(&types.into_iter().map(|ty| (ty, location)).collect::<Vec<_>>());
        {
            let inner = Emitter { context: self.context, block: &block };
            let values: Vec<Value<'c, '_>> = block_arguments(&block, arguments.len())?;
            let result = body(&inner, &values)?;
            let new = NewOp {
                name: terminator,
                operands: &[result],
                attributes: &[],
                results: &[],
                regions: Vec::new(),
            };
            block.append_operation(build(self.context, new)?);
        }
        let region = Region::new();
        region.append_block(block);
        Ok(region)
    }
}

/// The arguments of a block, as values.
pub(crate) fn block_arguments<'c, 'b>(
    block: &'b Block<'c>,
    count: usize,
) -> Result<Vec<Value<'c, 'b>>, Error> {
    (0..count)
        .map(|index| {
            let argument =
                block.argument(index).map_err(|e| refused("argument", &e.to_string()))?;
            Ok(argument.into())
        })
        .collect()
}

/// Builds a detached op.
pub(crate) fn build<'c>(
    context: &'c Context,
    new: NewOp<'c, '_, '_>,
) -> Result<Operation<'c>, Error> {
    let results =
        new.results.iter().map(|text| ty(context, text)).collect::<Result<Vec<_>, _>>()?;
    let attributes = (new.attributes.iter())
        .map(|(name, text)| Ok((Identifier::new(context, name), attribute(context, text)?)))
        .collect::<Result<Vec<_>, Error>>()?;
    OperationBuilder::new(new.name, Location::unknown(context))
        .add_operands(new.operands)
        .add_attributes(&attributes)
        .add_results(&results)
        .add_regions_vec(new.regions)
        .build()
        .map_err(|error| refused(new.name, &error.to_string()))
}

/// A type from its text.
pub(crate) fn ty<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Error> {
    Type::parse(context, text).ok_or_else(|| refused("type", text))
}

/// An attribute from its text.
pub(crate) fn attribute<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>, Error> {
    Attribute::parse(context, text).ok_or_else(|| refused("attribute", text))
}

pub(crate) fn refused(what: &str, diagnostics: &str) -> Error {
    Error::Mlir { what: what.to_owned(), diagnostics: diagnostics.to_owned() }
}
