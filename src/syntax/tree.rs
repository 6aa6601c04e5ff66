//! The syntax of one statement. Nodes hold spans only; numbers and names are read from the text when they are needed.
//! The nodes of a statement live in a [`Tree`] that is reused for the next one.

use crate::base::span::Span;

crate::define_id! {
    /// An expression of a [`Tree`].
    ExprId
}

crate::define_id! {
    /// An operand or list item of a [`Tree`].
    ItemId
}

/// Expressions may be nested that deep; deeper ones are refused, so that reading them needs no deep recursion.
pub const MAX_DEPTH: u32 = 200;

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
}

/// An operator between two operands, named after its token.
pub use super::token::TokenKind as BinaryOperator;

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
    /// Levels of expressions below it.
    pub depth: u32,
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `12`
    Dec,
    /// `0xc`
    Hex,
    /// `1.5:f`
    Float,
    /// `"text"`
    String,
    /// `2GRF`
    AlignWord,
    /// `(3,4)`
    Pair,
    /// A name, perhaps with an offset or arguments.
    Name(Span, Arguments),
    /// `(a, b)`
    Group(List),
    /// `%sizeof V`; the span is that of the name.
    Sizeof(Span),
    /// `-a`
    Unary(UnaryOperator, ExprId),
    /// `a + b`
    Binary(BinaryOperator, ExprId, ExprId),
    /// `a ? b : c`
    Conditional(ExprId, ExprId, ExprId),
}

/// What follows a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// Nothing.
    None,
    /// `.64`, with the dot and perhaps blanks after it.
    Offset(Span),
    /// `.(expr)`
    OffsetExpr(ExprId),
    /// `(0,1)`; the span is that of the whole.
    Pair(Span),
    /// `(a, b)`
    List(List),
}

/// The first and last item of a list; items are chained by [`Item::next`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct List(pub Option<(ItemId, ItemId)>);

/// The region of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionSyntax {
    /// None.
    None,
    /// `<8;8,1>` of plain numbers; the span is that of the whole.
    Source(Span),
    /// `<1>` of a plain number.
    Stride(Span),
    /// `<a>`
    One(ExprId),
    /// `<w, h>`
    Two(ExprId, ExprId),
    /// `<v; w, h>`
    Three(ExprId, ExprId, ExprId),
}

/// What an operand consists of, apart from its suffixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A name, number, string or group.
    Expr(ExprId),
    /// `(M1, 16)`
    Exec,
    /// `V1(0,0)<8;8,1>` of plain numbers; the span is that of this text
    Source(Span),
    /// `V1(0,0)<1>` of plain numbers; the span is that of this text
    Destination(Span),
    /// Two items that were meant as one operand; reported.
    Broken,
    /// `r[A0(0), 4]`
    Indirect(ExprId, Option<ExprId>),
    /// `&V`; the offset of `&V[4]` is the item's index.
    AddressOf(ExprId),
    /// `[...]` without a name before it
    Index,
    /// Nothing between two commas
    Empty,
}

/// An operand, or an item of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its place.
    pub span: Span,
    /// `(-)`
    pub modifier: Option<Span>,
    /// What it is.
    pub base: Base,
    /// `<8;8,1>`
    pub region: RegionSyntax,
    /// `[...]`
    pub index: Option<List>,
    /// `:ud`, with the colon
    pub suffix: Option<Span>,
    /// `.any`, with the dot
    pub word: Option<Span>,
    /// `/ 2`
    pub length: Option<ExprId>,
    /// The next item of the same list.
    pub next: Option<ItemId>,
}

impl Item {
    /// The expression, if nothing stands around it: no sign, region, type or word.
    #[must_use]
    pub fn plain_expr(&self) -> Option<ExprId> {
        let Base::Expr(id) = self.base else { return None };
        let around = [self.modifier, self.suffix, self.word];
        (around == [None; 3] && self.region == RegionSyntax::None).then_some(id)
    }

    /// An item that is only `base`.
    #[must_use]
    pub fn new(span: Span, base: Base) -> Self {
        Self {
            span,
            modifier: None,
            base,
            region: RegionSyntax::None,
            index: None,
            suffix: None,
            word: None,
            length: None,
            next: None,
        }
    }
}

/// A word or number after a dot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModifierSyntax {
    /// Its place, with the dot.
    pub span: Span,
    /// Whether it is a number.
    pub is_number: bool,
}

/// `name=value`, or a bare value, of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its place.
    pub span: Span,
    /// The name before `=`; empty if there is none.
    pub key: Span,
    /// The `=`; empty if there is none.
    pub equal: Span,
    /// The value.
    pub value: Value,
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Nothing after `=`.
    None,
    /// An expression, name or string.
    Expr(ExprId),
    /// `<V1, 32>`: the name and the offset.
    Alias(ExprId, ExprId),
    /// `<V1, 32>` of a plain number; the span is that of the whole.
    PlainAlias(Span),
    /// `{A, B=1}`: in [`Tree::attributes`].
    Attributes,
    /// `4.1`: the digits, and the dot with the digits after it.
    Version(Span, Span),
}

/// An entry of `attrs={...}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Span,
    /// The value after `=`.
    pub value: Option<ExprId>,
}

/// What a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `.name fields`; the fields are in [`Tree::fields`]. The span is that of the name with its dot.
    Directive(Span),
    /// `(predicate) mnemonic.modifiers operands`; modifiers and operands are in the [`Tree`].
    Instruction {
        /// `(!P1.any)`
        predicate: Option<ItemId>,
        /// The mnemonic.
        mnemonic: Span,
    },
}

/// The nodes of one statement.
#[derive(Default, Debug)]
pub struct Tree {
    exprs: Vec<Expr>,
    /// The first expression that is nested deeper than [`MAX_DEPTH`].
    pub too_deep: Option<Span>,
    items: Vec<Item>,
    /// Operands of the instruction, in order.
    pub operands: Vec<ItemId>,
    /// Modifiers of the instruction, in order.
    pub modifiers: Vec<ModifierSyntax>,
    /// Fields of the directive, in order.
    pub fields: Vec<Field>,
    /// Attributes of the declaration, in order.
    pub attributes: Vec<Attribute>,
}

impl Tree {
    /// Forgets the statement.
    pub fn clear(&mut self) {
        self.exprs.clear();
        self.too_deep = None;
        self.items.clear();
        self.operands.clear();
        self.modifiers.clear();
        self.fields.clear();
        self.attributes.clear();
    }

    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// An item.
    #[must_use]
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0 as usize]
    }

    /// The items of a list, in order.
    pub fn list(&self, list: List) -> impl Iterator<Item = &Item> {
        let mut next = list.0.map(|(first, _)| first);
        std::iter::from_fn(move || {
            let item = self.item(next?);
            next = item.next;
            Some(item)
        })
    }

    /// Adds a name that stands alone.
    pub fn add_name(&mut self, span: Span) -> ExprId {
        self.add(span.start, span.end, ExprKind::Name(span, Arguments::None))
    }

    /// Adds a group of items that are already there.
    pub fn add_group(&mut self, span: Span, list: List) -> ExprId {
        self.add(span.start, span.end, ExprKind::Group(list))
    }

    /// Puts `item` in the place of an operand. Returns whether there was one.
    pub fn replace_operand(&mut self, place: usize, item: Item) -> bool {
        let id = self.add_item(item);
        self.operands.get_mut(place).map(|operand| *operand = id).is_some()
    }

    /// Puts `item` before the operand at a place.
    pub fn insert_operand(&mut self, place: usize, item: Item) {
        let id = self.add_item(item);
        self.operands.insert(place, id);
    }

    /// Takes the nodes of another statement, at other places.
    pub(super) fn copy_placed(&mut self, other: &Self, placed: impl Fn(Span) -> Span) {
        self.too_deep = other.too_deep.map(&placed);
        self.exprs.clear();
        self.exprs.extend(other.exprs.iter().map(|expr| Expr {
            span: placed(expr.span),
            kind: match expr.kind {
                ExprKind::Name(name, arguments) => ExprKind::Name(
                    placed(name),
                    match arguments {
                        Arguments::Offset(span) => Arguments::Offset(placed(span)),
                        Arguments::Pair(span) => Arguments::Pair(placed(span)),
                        other => other,
                    },
                ),
                ExprKind::Sizeof(name) => ExprKind::Sizeof(placed(name)),
                other => other,
            },
            depth: expr.depth,
        }));
        self.items.clear();
        self.items.extend(other.items.iter().map(|item| Item {
            span: placed(item.span),
            modifier: item.modifier.map(&placed),
            base: match item.base {
                Base::Source(span) => Base::Source(placed(span)),
                Base::Destination(span) => Base::Destination(placed(span)),
                other => other,
            },
            region: match item.region {
                RegionSyntax::Source(span) => RegionSyntax::Source(placed(span)),
                RegionSyntax::Stride(span) => RegionSyntax::Stride(placed(span)),
                other => other,
            },
            suffix: item.suffix.map(&placed),
            word: item.word.map(&placed),
            ..*item
        }));
        self.operands.clone_from(&other.operands);
        self.modifiers.clear();
        self.modifiers.extend(other.modifiers.iter().map(|m| ModifierSyntax { span: placed(m.span), ..*m }));
        self.fields.clear();
        self.fields.extend(other.fields.iter().map(|field| Field {
            span: placed(field.span),
            key: placed(field.key),
            equal: placed(field.equal),
            value: match field.value {
                Value::PlainAlias(span) => Value::PlainAlias(placed(span)),
                Value::Version(digits, rest) => Value::Version(placed(digits), placed(rest)),
                other => other,
            },
        }));
        self.attributes.clear();
        self.attributes.extend(other.attributes.iter().map(|a| Attribute { name: placed(a.name), ..*a }));
    }

    pub(super) fn add(&mut self, start: u32, end: u32, kind: ExprKind) -> ExprId {
        let span = Span::new(start, end);
        let depth = self.depth_below(kind);
        if depth > MAX_DEPTH {
            self.too_deep.get_or_insert(span);
        }
        self.exprs.push(Expr { span, kind, depth });
        ExprId(self.exprs.len() as u32 - 1)
    }

    fn depth_below(&self, kind: ExprKind) -> u32 {
        let of = |id: ExprId| self.expr(id).depth + 1;
        match kind {
            ExprKind::Unary(_, a) | ExprKind::Name(_, Arguments::OffsetExpr(a)) => of(a),
            ExprKind::Binary(_, a, b) => of(a).max(of(b)),
            ExprKind::Conditional(a, b, c) => of(a).max(of(b)).max(of(c)),
            ExprKind::Group(list) | ExprKind::Name(_, Arguments::List(list)) => self
                .list(list)
                .filter_map(|item| match item.base {
                    Base::Expr(e) => Some(of(e)),
                    _ => None,
                })
                .max()
                .unwrap_or(0),
            _ => 0,
        }
    }

    pub(crate) fn add_item(&mut self, item: Item) -> ItemId {
        self.items.push(item);
        ItemId(self.items.len() as u32 - 1)
    }

    /// The items of `front`, then those of `back`.
    pub(super) fn append(&mut self, front: List, back: List) -> List {
        match (front.0, back.0) {
            (Some((first, end)), Some((next, last))) => {
                self.items[end.0 as usize].next = Some(next);
                List(Some((first, last)))
            }
            (front, back) => List(front.or(back)),
        }
    }
}
